"""``python -m medlens``."""

from medlens.cli import main

raise SystemExit(main())
