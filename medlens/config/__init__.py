"""The TOML files that people write: settings and forms, and the line of every mistake."""
