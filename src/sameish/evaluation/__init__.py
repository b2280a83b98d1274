"""Measures answers against what a person said: labelled pairs of pages in, figures out."""
