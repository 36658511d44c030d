"""Published facts of RIPPER: cervical cancer and bike rentals (Weka's JRip)."""

from __future__ import annotations

import dbrules
from dbrules.language.column import ColumnType
from dbrules.language.rule import Target

#: Right-closed quartiles of the rentals.
CUTS = (3152, 4548, 5956)
#: The published list, with its thresholds as they are printed.
JRIP = """
    IF days_since_2011 >= 438 AND temp >= 17 AND temp <= 27 AND hum <= 67 THEN q4
    IF days_since_2011 >= 443 AND temp >= 12 AND weathersit = 'GOOD' AND hum >= 59 THEN q4
    IF days_since_2011 >= 441 AND windspeed <= 10 AND temp >= 13 THEN q4
    IF temp >= 12 AND hum <= 68 AND days_since_2011 >= 551 THEN q4
    IF days_since_2011 >= 100 AND days_since_2011 <= 434 AND hum <= 72
      AND workingday = 'WORKING DAY' THEN q2
    IF days_since_2011 >= 106 AND days_since_2011 <= 323 THEN q2
    ELSE q1
"""
#: What its rules capture, by quartile.
CAPTURED = [
    [0, 0, 1, 72], [0, 0, 3, 44], [0, 0, 10, 30], [0, 0, 2, 8],
    [10, 86, 61, 0], [16, 58, 42, 1], [157, 39, 63, 28],
]  # fmt: skip


def test_no_rule_for_cancer(shared_data):
    path = str(shared_data / "cervical_imlbook.parquet")
    for seed in range(10):
        model = dbrules.Ripper(seed=seed).fit(path, target="Biopsy")
        assert "Cancer" not in {rule.label for rule in model.rules.rules}, seed
        assert model.rules.default.label == "Healthy"
        assert any(note.startswith("no rule for Cancer") for note in model.training.notes)


def test_the_published_list_of_bike_rentals(shared_data, by_hand, con):
    first, second, third = CUTS
    query = f"""
        SELECT * REPLACE (CASE WHEN cnt <= {first} THEN 'q1' WHEN cnt <= {second} THEN 'q2'
                               WHEN cnt <= {third} THEN 'q3' ELSE 'q4' END AS cnt)
        FROM '{shared_data / "bike_imlbook_1ed.parquet"}'
    """
    classes = ("q1", "q2", "q3", "q4")
    target = Target("cnt", ColumnType("VARCHAR"), classes)
    model = by_hand(JRIP, target=target)
    counts = ", ".join(f"count(*) FILTER (cnt = '{label}')" for label in classes)
    scored = model.predict(query, connection=con)
    rule = scored.columns[-1]
    captured = scored.aggregate(f"{rule}, {counts}", rule).order(rule).fetchall()
    assert [list(row[1:]) for row in captured] == CAPTURED
    assert model.evaluate(query, connection=con).accuracy == 455 / 731


def test_bike_rentals_as_jrip_learns_them(shared_data):
    """At JRip's settings, -F 3 -N 2 -O 2 -S 1: as many right at least, with few rules."""
    path = str(shared_data / "bike_imlbook_1ed.parquet")
    bins = {"cnt": dbrules.Bins("cuts", cuts=CUTS, closed="right")}
    model = dbrules.Ripper(seed=1, ranking_rules=0, bins=bins).fit(path, target="cnt")
    evaluated = model.evaluate(path)
    assert round(evaluated.accuracy * 731) >= 455
    assert len(model.rules.rules) <= 10
    # the rarest quartile comes first, and of three as rare the first is the default
    labels = [outcome.label for outcome in model.rules.outcomes]
    assert list(dict.fromkeys(labels)) == ["(4548, 5956]", "> 5956", "(3152, 4548]", "<= 3152"]
