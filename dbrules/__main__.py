"""``python -m dbrules``: the command line."""

from __future__ import annotations

from dbrules.cli.main import main

if __name__ == "__main__":
    main()
