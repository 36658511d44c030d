"""What `import dbrules` costs beside the packages it stands on, and the command line's answer.

python examples/benchmarks/imports.py [ROUNDS]
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from paired import paired

STANDS_ON = "import duckdb, sqlglot, numpy"


def python(code: str) -> None:
    subprocess.run([sys.executable, "-c", code], check=True, stdout=subprocess.DEVNULL)


def main() -> None:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 15
    loaded = "import dbrules; dbrules.OneR; dbrules.load"
    for code, bound in (("import dbrules", 1.2), (loaded, None)):
        result = paired(lambda code=code: python(code), lambda: python(STANDS_ON), rounds)
        print(result.line(f"{code} : {STANDS_ON}", bound))
    python("import sys, dbrules; dbrules.OneR; dbrules.load; assert 'pandas' not in sys.modules")
    print("pandas is not imported")

    command = Path(sys.executable).with_name("dbrules")
    result = paired(
        lambda: subprocess.run([command, "--help"], check=True, stdout=subprocess.DEVNULL),
        lambda: python(STANDS_ON),
        rounds,
    )
    print(result.line(f"dbrules --help : {STANDS_ON}"))
    print(f"dbrules --help answers in {result.ours:.2f} s (at most 0.5)")


if __name__ == "__main__":
    main()
