"""Voice engines, their assets, and the cache of what they spoke."""
