"""Describing a rendered set to others: a dataset card and a Croissant file."""
