"""Figures behind the promises. `make bench` prints them; compare ratios of one run, not seconds of two."""
