"""`python -m sameish` is `sameish`."""

from sameish.cli.main import main

if __name__ == "__main__":
    main()
