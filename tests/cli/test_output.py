from __future__ import annotations

import json
import os

import pytest

from dbrules.cli.output import check_output, print_json, whole_file
from dbrules.errors import InvalidSetting


def test_json_has_null_for_what_it_lacks(capsys):
    print_json({"a": [float("nan"), (float("inf"), 1.5)], "b": "é", "c": True})
    out = capsys.readouterr().out
    assert json.loads(out) == {"a": [None, [None, 1.5]], "b": "é", "c": True}
    assert "é" in out


def test_a_file_is_moved_when_it_is_whole(tmp_path):
    path = tmp_path / "a.txt"
    path.write_text("old", encoding="utf-8")
    with whole_file(str(path)) as written:
        assert written.endswith("a.txt")
        with open(written, "w", encoding="utf-8") as file:
            file.write("new")
        assert path.read_text(encoding="utf-8") == "old"
    assert path.read_text(encoding="utf-8") == "new"
    assert os.listdir(tmp_path) == ["a.txt"]


def write_half(path, error):
    with whole_file(str(path)) as written, open(written, "w", encoding="utf-8") as file:
        file.write("half")
        raise error


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt])
def test_a_failure_leaves_the_old_file(tmp_path, error):
    path = tmp_path / "a.txt"
    path.write_text("old", encoding="utf-8")
    with pytest.raises(error):
        write_half(path, error)
    assert path.read_text(encoding="utf-8") == "old"
    assert os.listdir(tmp_path) == ["a.txt"]


def test_a_link_stays_one(tmp_path):
    (tmp_path / "deep").mkdir()
    real = tmp_path / "deep" / "real.txt"
    real.write_text("old", encoding="utf-8")
    link = tmp_path / "link.txt"
    link.symlink_to(real)
    with whole_file(str(link)) as written, open(written, "w", encoding="utf-8") as file:
        file.write("new")
    assert link.is_symlink()
    assert real.read_text(encoding="utf-8") == "new"


def test_devices_and_folders_are_no_files(tmp_path):
    for path in (tmp_path, os.devnull):
        with pytest.raises(InvalidSetting, match="not a plain file"):
            check_output(str(path))
    with pytest.raises(InvalidSetting, match="does not exist"):
        check_output(str(tmp_path / "none" / "a.txt"))
