"""Before the fetch: which requests need not be sent, learned from what was fetched."""
