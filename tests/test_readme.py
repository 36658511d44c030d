"""Every code block of the README runs as it stands and prints what the README says."""

from __future__ import annotations

import contextlib
import io
import os
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
#: Blocks that are code; any other block is what the code before it prints.
CODE = ("python", "sh")


@dataclass(frozen=True)
class Block:
    language: str
    text: str
    printed: str | None = None


def blocks(markdown: str) -> list[Block]:
    """Return the code blocks, each with the output that is written below it, if any."""
    found: list[Block] = []
    for language, text in re.findall(r"^```(\w*)\n(.*?)^```$", markdown, flags=re.M | re.S):
        if language in CODE:
            found.append(Block(language, text))
        else:
            assert found, f"output without code: {text}"
            assert found[-1].printed is None, f"two outputs of one block: {text}"
            found[-1] = Block(found[-1].language, found[-1].text, text)
    return found


BLOCKS = blocks(README)
FIRST, TEST = (block.text.strip() for block in BLOCKS[:2])


def run_python(code: str, names: dict[str, Any]) -> str:
    with contextlib.redirect_stdout(io.StringIO()) as output:
        exec(compile(code, "README.md", "exec"), names)
    return output.getvalue()


def run_shell(code: str) -> str:
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", code],
        env=os.environ | {"PATH": path, "PYTHONIOENCODING": "utf-8"},
        capture_output=True,
        encoding="utf-8",
    )
    assert done.returncode == 0, f"{code}\n{done.stdout}\n{done.stderr}"
    return done.stdout


def test_every_block_says_what_it_is() -> None:
    languages = re.findall(r"^```(\w*)$", README, flags=re.M)[::2]
    assert set(languages) <= {*CODE, "text", "sql"}
    assert README.count("```") == 2 * len(languages)


def test_blocks_run_and_print_what_the_readme_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {"__name__": "readme"}
    for block in BLOCKS[2:]:
        python = block.language == "python"
        output = run_python(block.text, names) if python else run_shell(block.text)
        if block.printed is not None:
            assert output == block.printed, block.text
        else:
            assert not python or output == "", f"the README leaves out what it prints: {output}"


def test_the_quickstart_stands_alone(tmp_path: Path) -> None:
    quickstart = next(block for block in BLOCKS if block.language == "python")
    assert len(quickstart.text.splitlines()) <= 15
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", quickstart.text],
        cwd=tmp_path,
        env=os.environ | {"PYTHONIOENCODING": "utf-8"},
        capture_output=True,
        encoding="utf-8",
    )
    assert (done.stdout, done.stderr) == (quickstart.printed, "")


def test_the_first_two_commands_do_everything() -> None:
    """What they run is run by tests/test_examples.py and by .ci/run."""
    venv = "python3 -m venv .venv && . .venv/bin/activate && "
    assert f'{venv}pip install -e ".[examples]" && python examples/03_falling.py' == FIRST
    assert f'{venv}pip install -e ".[test,examples]" && pytest' == TEST
    assert (ROOT / "examples" / "03_falling.py").is_file()


def test_ci_runs_exactly_the_test_command() -> None:
    for place in (".ci/run", "CONTRIBUTING.md"):
        assert TEST in (ROOT / place).read_text(encoding="utf-8").splitlines(), place


def test_every_setting_is_in_the_table() -> None:
    from dataclasses import fields

    from dbrules import OneR

    section = README.partition("## Settings of OneR")[2].partition("\n## ")[0]
    listed = dict(re.findall(r"^\| `(\w+)` \| (.+?) \|", section, flags=re.M))
    assert sorted(listed) == sorted(field.name for field in fields(OneR))
    for field in fields(OneR):
        if field.default is not None:
            assert listed[field.name].strip('`"') == str(field.default)


def test_links_lead_somewhere() -> None:
    for link in re.findall(r"\]\(([^)]+)\)", README):
        assert "://" in link or (ROOT / link).is_file(), link
