from __future__ import annotations

import json

import dbrules.verify


def test_yes_is_0(run, model, houses):
    ran = run("verify", model, houses)
    assert ran.code == 0
    assert ran.out.startswith("verified: 6 rows (3 distinct)")
    assert json.loads(run("verify", model, houses, "--json").out)["ok"] is True


def test_no_is_1_with_the_row(run, model, houses, monkeypatch):
    right = dbrules.verify._expected

    def wrong(rules, row):
        label, *others = right(rules, row)
        return ("low" if row["size"] == "medium" else label, *others)

    monkeypatch.setattr(dbrules.verify, "_expected", wrong)
    ran = run("verify", model, houses)
    assert (ran.code, ran.err) == (1, "")
    assert ran.out.startswith("not verified: 1 of 6 rows differ")
    ran = run("verify", model, houses, "--json")
    assert ran.code == 1
    assert json.loads(ran.out)["wrong_rows"] == 1


def test_wrong_input_is_2(run, model):
    ran = run("verify", model, "SELECT 1 AS other")
    assert ran.code == 2
    assert "'size'" in ran.err
