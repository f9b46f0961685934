"""What the command line and the leads' pages do alike."""
