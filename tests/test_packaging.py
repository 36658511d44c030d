"""The package works from a wheel, from a source distribution and as an editable install."""

from __future__ import annotations

import shutil
import site
import subprocess
import sys
import sysconfig
import tarfile
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
# -S and plain path entries: .pth files of this environment (an editable dbrules) do not count
PROBE = """
import site, sys
place, *dependencies = sys.argv[1:]
site.addsitedir(place)
sys.path.extend(dependencies)
import dbrules
from dbrules.engine.statement import load, statement_folder, statement_names
for name in statement_names():
    load(name)
print(dbrules.__file__)
print(statement_folder())
print(len(statement_names()))
"""


def statements() -> list[str]:
    return sorted(p.relative_to(ROOT / "sql").as_posix() for p in (ROOT / "sql").rglob("*.sql"))


def run(*command: str | Path, cwd: Path) -> str:
    done = subprocess.run([str(c) for c in command], cwd=cwd, capture_output=True, text=True)
    assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
    return done.stdout


def install(what: str | Path, place: Path, *options: str) -> Path:
    """Install without dependencies into an empty place; return its site folder."""
    run(
        sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index",
        "--no-build-isolation", "--ignore-installed", "--no-compile", "--no-warn-script-location",
        "--prefix", place, *options, what, cwd=place.parent,
    )  # fmt: skip
    return next(folder.parent for folder in place.rglob("dbrules-*.dist-info"))


def probe(place: Path, cwd: Path) -> tuple[Path, Path, int]:
    """Import dbrules from ``place`` in a folder far from the checkout; return what it found."""
    dependencies = dict.fromkeys([*site.getsitepackages(), sysconfig.get_path("purelib")])
    output = run(sys.executable, "-I", "-S", "-c", PROBE, place, *dependencies, cwd=cwd)
    module, folder, number = output.splitlines()
    return Path(module), Path(folder), int(number)


@pytest.fixture(scope="session")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the checkout, so that nothing is built in it."""
    copy = tmp_path_factory.mktemp("packaging") / "checkout"
    skipped = shutil.ignore_patterns(".git", ".venv*", ".*_cache", "__pycache__", ".hypothesis")
    shutil.copytree(ROOT, copy, ignore=skipped)
    return copy


@pytest.fixture(scope="session")
def built(checkout: Path) -> tuple[Path, Path]:
    """The source distribution, and the wheel that is built from it."""
    out = checkout.parent / "dist"
    run(sys.executable, "-m", "build", "--no-isolation", "--outdir", out, checkout, cwd=out.parent)
    (sdist,) = out.glob("*.tar.gz")
    (wheel,) = out.glob("*.whl")
    return sdist, wheel


def test_wheel_holds_what_it_should(built: tuple[Path, Path]) -> None:
    with zipfile.ZipFile(built[1]) as wheel:
        names = wheel.namelist()
        for statement in statements():
            assert wheel.read(f"dbrules/sql/{statement}") == (ROOT / "sql" / statement).read_bytes()
    assert "dbrules/py.typed" in names
    assert any(name.endswith(".dist-info/licenses/LICENSE") for name in names)
    assert {name.split("/")[0].split("-")[0] for name in names} == {"dbrules"}
    assert not [name for name in names if "__pycache__" in name]


def test_source_distribution_holds_what_it_should(built: tuple[Path, Path]) -> None:
    with tarfile.open(built[0]) as sdist:
        names = {name.partition("/")[2] for name in sdist.getnames()}
    wanted = {"LICENSE", "README.md", "CHANGELOG.md", "CONTRIBUTING.md", "dbrules/py.typed"}
    assert wanted | {f"sql/{statement}" for statement in statements()} <= names


def test_wheel_finds_its_statements(built: tuple[Path, Path], tmp_path: Path) -> None:
    place = install(built[1], tmp_path / "prefix")
    package = place / "dbrules"
    found = probe(place, tmp_path)
    assert found == (package / "__init__.py", package / "sql", len(statements()))


def test_source_distribution_finds_its_statements(built: tuple[Path, Path], tmp_path: Path) -> None:
    place = install(built[0], tmp_path / "prefix")
    package = place / "dbrules"
    found = probe(place, tmp_path)
    assert found == (package / "__init__.py", package / "sql", len(statements()))


def test_editable_install_finds_the_statements_of_the_checkout(
    checkout: Path, tmp_path: Path
) -> None:
    place = install(checkout, tmp_path / "prefix", "--editable")
    found = probe(place, tmp_path)
    package = checkout / "dbrules"
    assert found == (package / "__init__.py", checkout / "sql", len(statements()))


def test_types_are_advertised() -> None:
    assert (ROOT / "dbrules" / "py.typed").read_bytes() == b""


def test_one_version() -> None:
    import tomllib

    import dbrules

    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["version"] == dbrules.__version__
