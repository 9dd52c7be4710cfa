"""What the three commands share: how they start, how they talk, what becomes of errors."""
