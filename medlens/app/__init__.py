"""What the command line and the leads' pages have in common."""
