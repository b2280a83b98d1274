"""Is this page new, or just same-ish?"""
