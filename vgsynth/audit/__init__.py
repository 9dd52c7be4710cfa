"""Auditing a rendered set: does the data test what it claims? Nothing here changes the set."""
