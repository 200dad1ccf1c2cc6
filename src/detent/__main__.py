"""`python -m detent` is the command line."""

from detent.app.cli import main

if __name__ == "__main__":
    raise SystemExit(main())
