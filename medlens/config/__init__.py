"""What people write in TOML files: settings and forms, and where in a file a fault stands."""
