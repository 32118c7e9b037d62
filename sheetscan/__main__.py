"""Where the program starts: interrupting it is no traceback even while it is being loaded."""

import sys


def main() -> int:
    """Run the command line and return its exit code."""
    try:
        from sheetscan.cli.app import main as run
    except KeyboardInterrupt:
        sys.stderr.write("Interrupted.\n")
        return 130
    return run()


if __name__ == "__main__":
    sys.exit(main())
