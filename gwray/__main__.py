"""`python -m gwray` is the `gwray` command."""

from gwray.cli import main

if __name__ == "__main__":
    main()
