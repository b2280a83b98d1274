"""Which stored fingerprints can be near? Arithmetic on arrays, without I/O."""
