"""Home: sign in, my work, the studies."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))  # `streamlit run app.py` without an install

from medlens.ui import home, start_page

here = start_page("Home")
with here.page():
    home.draw_home(here)
