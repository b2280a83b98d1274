"""What a URL alone can tell: its canonical key and its site."""
