"""`python -m lanternwell`: the command line."""

import sys

from lanternwell.cli import main

if __name__ == "__main__":
    sys.exit(main())
