"""Run every benchmark: `python -m benchmarks [NAME ...]`."""

from __future__ import annotations

import sys

from benchmarks import fingerprinting, storing

BENCHMARKS = {"fingerprinting": fingerprinting.run, "storing": storing.run}


def main(names: list[str]) -> int:
    """Run the named benchmarks, or all."""
    unknown = [name for name in names if name not in BENCHMARKS]
    if unknown:
        print(f"no benchmark {', '.join(unknown)}; there are {', '.join(BENCHMARKS)}", file=sys.stderr)
        return 2
    for name in names or BENCHMARKS:
        print(f"\n{name}")
        BENCHMARKS[name]()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
