"""Asking a system about every item, keeping each output once, and going on after a stop."""
