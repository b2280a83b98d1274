"""From two fingerprints to a comparison, from history to a verdict: pure functions."""
