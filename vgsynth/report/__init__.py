"""Looking at a rendered folder: one item in the terminal, all of them on a page."""
