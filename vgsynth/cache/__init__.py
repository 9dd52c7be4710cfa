"""Content-addressed caches on disk: speech stems and room impulse responses."""
