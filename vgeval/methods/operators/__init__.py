"""Acoustic operators that a system may call on a clip: measures of it, and changed copies of it.

Plain signal processing, deterministic, on one clip of a few seconds. The measures are estimates from the
mixture, made to be talked about, not to be published.
"""
