"""Which stored fingerprints can be near? Arithmetic on arrays; only `files` touches a disk."""
