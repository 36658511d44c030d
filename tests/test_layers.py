"""Imports point one way, and heavy or foreign packages stay where they belong."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parents[1] / "dbrules"

#: From the ground up: a part may import itself and parts of lower lines, not its neighbours.
LAYERS: tuple[tuple[str, ...], ...] = (
    ("errors",),
    ("special",),
    ("language",),
    ("data", "search", "compile"),
    ("engine",),
    ("statistics",),
    ("model",),
    ("learners",),
    ("report", "cli"),
    ("names",),
)
#: Single modules of the package folder, by the part they belong to.
MODULES = {
    "__init__": "names",
    "__main__": "names",
    "errors": "errors",
    "check": "model",
    "cover": "model",
    "cover_counts": "model",
    "diagnostics": "model",
    "evaluate": "model",
    "evaluation": "model",
    "falling": "model",
    "falling_text": "model",
    "metrics": "model",
    "mined_patterns": "model",
    "mining": "learners",
    "model": "model",
    "model_json": "model",
    "model_text": "model",
    "posterior": "model",
    "posterior_json": "model",
    "posterior_text": "model",
    "training": "model",
    "recount": "model",
    "rule_counts": "model",
    "rule_frame": "model",
    "score_counts": "model",
    "scoring": "model",
    "stored_frame": "model",
    "verify": "model",
}
#: Packages that a part must not import at all.
FORBIDDEN = {
    "errors": {"duckdb", "numpy", "pandas", "sqlglot", "typer"},
    "special": {"duckdb", "pandas", "sqlglot", "typer"},
    "language": {"duckdb", "numpy", "pandas", "sqlglot", "typer"},
    "search": {"duckdb", "pandas", "sqlglot", "typer"},
    "compile": {"duckdb", "numpy", "pandas", "typer"},
    "data": {"duckdb", "typer"},
    "statistics": {"duckdb", "typer"},
    "learners": {"duckdb", "typer"},
}
DUCKDB_IN = {"engine/duckdb.py", "engine/connect.py", "scoring.py"}
RANK = {part: rank for rank, layer in enumerate(LAYERS) for part in layer}


def modules() -> list[str]:
    return sorted(path.relative_to(PACKAGE).as_posix() for path in PACKAGE.rglob("*.py"))


def part_of(module: str) -> str | None:
    """Return the part of ``learners/one_r.py`` or ``learners.one_r``; None where it has none."""
    first = module.removesuffix(".py").replace("/", ".").split(".")[0]
    is_file = (PACKAGE / f"{first}.py").exists()
    return MODULES.get(first) if is_file else first if first in RANK else None


def imports(tree: ast.AST, module: str) -> Iterator[tuple[str, int]]:
    """Yield absolute names of what is imported, wherever in the file, and the line."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((alias.name, node.lineno) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{module}:{node.lineno}: relative import"
            assert node.module is not None
            yield node.module, node.lineno
            if node.module == "dbrules":
                yield from ((f"dbrules.{alias.name}", node.lineno) for alias in node.names)


def at_import_time(node: ast.AST) -> Iterator[ast.Import | ast.ImportFrom]:
    """Yield the imports that run when the module is loaded."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, (ast.Import, ast.ImportFrom)):
            yield child
        elif isinstance(child, ast.If) and "TYPE_CHECKING" in ast.dump(child.test):
            for other in child.orelse:
                yield from at_import_time(ast.Module([other], []))
        elif not isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
            yield from at_import_time(child)


def parsed(module: str) -> ast.Module:
    return ast.parse((PACKAGE / module).read_text(encoding="utf-8"))


def broken(module: str, tree: ast.AST) -> list[str]:
    """Return what the imports of a module break, as file:line: why."""
    part = part_of(module)
    assert part is not None
    found = []
    for name, line in imports(tree, module):
        package, _, rest = name.partition(".")
        if package != "dbrules":
            if package in FORBIDDEN.get(part, set()):
                found.append(f"{module}:{line}: {part} imports {package}")
            if package == "duckdb" and module not in DUCKDB_IN:
                found.append(f"{module}:{line}: duckdb belongs to {sorted(DUCKDB_IN)}")
            continue
        other = part_of(rest) if rest else None
        if other is not None and other != part and RANK[other] >= RANK[part]:
            found.append(f"{module}:{line}: {part} imports {other}")
    return found


def test_every_module_has_a_layer() -> None:
    homeless = [module for module in modules() if part_of(module) is None]
    assert not homeless, f"give these a part in tests/test_layers.py: {homeless}"
    gone = [name for name in MODULES if not (PACKAGE / f"{name}.py").exists()]
    assert not gone, f"these modules no longer exist: {gone}"


@pytest.mark.parametrize("module", modules())
def test_imports_point_down(module: str) -> None:
    assert broken(module, parsed(module)) == []


@pytest.mark.parametrize("module", modules())
def test_pandas_waits_until_it_is_asked_for(module: str) -> None:
    for node in at_import_time(parsed(module)):
        names = [a.name for a in node.names] if isinstance(node, ast.Import) else [node.module]
        assert not any(str(name).split(".")[0] == "pandas" for name in names), node.lineno


@pytest.mark.parametrize(
    ("module", "line"),
    [
        ("language/rule.py", "import numpy as np"),
        ("language/rule.py", "from dbrules.data.source import source"),
        ("search/beam.py", "import sqlglot"),
        ("data/source.py", "from dbrules.compile.case import case_label"),
        ("data/source.py", "from dbrules import scoring"),
        ("learners/one_r.py", "def f():\n    import duckdb"),
        ("model.py", "from dbrules.learners.registry import LEARNERS"),
        ("verify.py", "import duckdb"),
    ],
)
def test_the_check_sees_a_wrong_import(module: str, line: str) -> None:
    assert broken(module, ast.parse(line)) != []
