"""OneR against a row-by-row transcription, and against what is published of it."""

from __future__ import annotations

import random
import warnings

import duckdb
import pytest
from scipy.stats import chi2

import dbrules
from dbrules.data.roles import assign_roles
from dbrules.data.source import source
from dbrules.engine.connect import connect
from dbrules.errors import DbrulesWarning, InvalidData, InvalidSetting
from dbrules.statistics.classes import class_counts
from dbrules.statistics.dataset import open_dataset
from dbrules.statistics.holdout import hold_out

CUTS = [2, 4]


def bucket(name, value):
    """Return the literal of a cell: a level, or the number of the interval."""
    if value is None or value != value:
        return "missing"
    return sum(value >= cut for cut in CUTS) if name.startswith("n") else value


def majority(weights, totals):
    """Return the class of most weight; ties: more in total, then the smaller label."""
    return min(totals, key=lambda c: (-weights.get(c, 0), -totals[c], c), default=None)


def tabulate(rows, name, weight):
    """Return {literal: {class: weight}} of one feature, row by row."""
    table = {}
    for row in rows:
        cell = table.setdefault(bucket(name, row[name]), {})
        cell[row["y"]] = cell.get(row["y"], 0) + weight(row)
    return table


def usable(rows, name, max_levels):
    """Say whether a feature may be used: not an identifier, more than one literal."""
    values = [row[name] for row in rows if bucket(name, row[name]) != "missing"]
    if not values:
        return False
    kinds = len(CUTS) + 1 if name.startswith("n") else len(set(values))
    if not name.startswith("n") and len(values) >= 10 and 2 * kinds > len(values):
        return False
    return max_levels is None or kinds <= max_levels


def literals(rows, name, missing):
    table = {bucket(name, row[name]) for row in rows}
    kinds = (set(range(len(CUTS) + 1)) if name.startswith("n") else table) - {"missing"}
    return len(kinds) + (missing == "level" and "missing" in table)


def transcription(rows, features, weight, *, ties, missing, max_levels):
    """Return {feature: (errors, {literal: class}, log p)} of all usable features."""
    rows = [row for row in rows if row["y"] is not None and weight(row) > 0]
    totals = {}
    for row in rows:
        totals[row["y"]] = totals.get(row["y"], 0) + weight(row)
    default = majority(totals, totals)
    found = {}
    for name in features:
        if not usable(rows, name, max_levels) or literals(rows, name, missing) < 2:
            continue
        table = tabulate(rows, name, weight)
        if missing == "drop":
            table.pop("missing", None)
        answer = {literal: majority(cell, totals) for literal, cell in table.items()}
        errors = sum(
            weight(row) for row in rows if answer.get(bucket(name, row[name]), default) != row["y"]
        )
        found[name] = errors, answer, log_p(table)
    fewest = min((errors for errors, _, _ in found.values()), default=None)
    tied = [name for name, (errors, _, _) in found.items() if errors == fewest]
    if ties == "chi2" and tied:
        least = min(found[name][2] for name in tied)
        tied = [name for name in tied if found[name][2] <= least + 1e-9]
    return found, tied, default, totals, rows


def log_p(table):
    classes = sorted({c for cell in table.values() for c in cell})
    total = sum(sum(cell.values()) for cell in table.values())
    df = (len(table) - 1) * (len(classes) - 1)
    if df <= 0:
        return 0.0
    statistic = 0.0
    for cell in table.values():
        for c in classes:
            column = sum(other.get(c, 0) for other in table.values())
            expected = sum(cell.values()) * column / total
            statistic += (cell.get(c, 0) - expected) ** 2 / expected
    return float(chi2.logsf(statistic, df))


def random_table(rng):
    size = rng.randint(2, 40)
    classes = ["a", "b", "c", "d"][: rng.randint(1, 4)]
    nan = float("nan")
    kinds = {
        "s0": lambda: rng.choice(["u", "v", "w", None]),
        "s1": lambda: rng.choice("uvwxyz"),
        "s2": lambda: f"id{rng.randrange(60)}",
        "n0": lambda: rng.choice([0.0, 1.5, 2.0, 3.0, 4.0, 5.5, nan, None]),
        "n1": lambda: float(rng.randrange(7)),
    }
    features = rng.sample(sorted(kinds), rng.randint(1, 4))
    rows = []
    for _ in range(size):
        row = {name: kinds[name]() for name in features}
        signal = features[0]
        label = classes[hash_of(bucket(signal, row[signal])) % len(classes)]
        row["y"] = label if rng.random() < 0.5 else rng.choice([*classes, None])
        row["w"] = rng.choice([0, 1, 1, 2, 0.5])
        rows.append(row)
    return features, rows


def hash_of(value):
    return sum(map(ord, str(value)))


def store(con, features, rows):
    kinds = {name: "DOUBLE" if name.startswith("n") else "VARCHAR" for name in features}
    kinds |= {"y": "VARCHAR", "w": "DOUBLE"}
    declared = ", ".join(f"{name} {kind}" for name, kind in kinds.items())
    con.execute(f"CREATE OR REPLACE TABLE t ({declared})")
    con.executemany(
        f"INSERT INTO t VALUES ({', '.join('?' * len(kinds))})",
        [[row[name] for name in kinds] for row in rows],
    )


@pytest.fixture(scope="module")
def one_thread():
    with duckdb.connect(config={"threads": 1, "memory_limit": "1GB"}) as con:
        yield con


@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("missing", ["level", "drop"])
def test_against_the_transcription(one_thread, seed, missing):
    rng = random.Random(f"{seed}{missing}")
    for _ in range(20):
        features, rows = random_table(rng)
        settings = {
            "ties": rng.choice(["first", "chi2"]),
            "missing": missing,
            "max_levels": rng.choice([None, None, 3, 4]),
        }
        weighted = rng.random() < 0.5
        weight = (lambda row: row["w"]) if weighted else (lambda row: 1)
        found, tied, default, totals, kept = transcription(rows, features, weight, **settings)
        store(one_thread, features, rows)
        learner = dbrules.OneR(bins=CUTS, **settings)
        call = {"target": "y", "features": features, "weight": "w" if weighted else None}
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DbrulesWarning)
            if not kept or all(bucket(n, row[n]) == "missing" for row in kept for n in features):
                if not kept or len(totals) > 1:
                    with pytest.raises(InvalidData):
                        learner.fit("t", connection=one_thread, **call)
                continue
            model = learner.fit("t", connection=one_thread, **call)
        rules = model.rules
        assert rules.default.label == default
        assert rules.default.probability == pytest.approx(
            [totals[c] / sum(totals.values()) for c in sorted(totals)]
        )
        if len(totals) == 1 or not tied:
            assert rules.rules == ()
            continue
        chosen = rules.used[0].name
        assert chosen == tied[0] if settings["ties"] == "first" else chosen in tied
        errors, answer, _ = found[chosen]
        assert model.training.objective == pytest.approx(errors / sum(totals.values()))
        assert len(rules.rules) == len(answer)
        table = tabulate(kept, chosen, weight)
        for row in kept:
            literal = bucket(chosen, row[chosen])
            outcome = rules.outcomes[rules.capture(row) - 1]
            assert outcome.label == answer.get(literal, default)
            cell = table[literal]
            assert outcome.counts == tuple(cell.get(c, 0) for c in sorted(totals))


@pytest.mark.parametrize("seed", range(6))
def test_validation_against_the_transcription(one_thread, seed):
    rng = random.Random(f"validation {seed}")
    for _ in range(8):
        features, rows = random_table(rng)
        for row in rows:
            row["w"] = rng.choice([0, 1, 2, 3])
        store(one_thread, features, rows)
        learner = dbrules.OneR(bins=CUTS, validation=0.4, seed=seed)
        call = {"target": "y", "features": features, "weight": "w"}
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DbrulesWarning)
            try:
                model = learner.fit("t", connection=one_thread, **call)
            except InvalidData:
                continue
        if not model.rules.rules:
            continue
        parts, totals = split(one_thread, features, 0.4, seed)
        default = majority(totals, totals)
        errors = {}
        for name in features:
            training = [row for row in parts if row["kept"] > 0]
            present = [row for row in parts if bucket(name, row[name]) != "missing"]
            levels = {bucket(name, row[name]) for row in present}
            if not present or literals(parts, name, "level") < 2:
                continue
            # rows are the patterns of the snapshot: all of them, held out or not
            if not name.startswith("n") and len(present) >= 10 and 2 * len(levels) > len(present):
                continue
            table = tabulate(training, name, lambda row: row["kept"])
            answer = {literal: majority(cell, totals) for literal, cell in table.items()}
            errors[name] = sum(
                row["held"] for row in parts
                if answer.get(bucket(name, row[name]), default) != row["y"]
            )  # fmt: skip
        chosen = model.rules.used[0].name
        assert chosen in errors
        assert errors[chosen] == pytest.approx(min(errors.values()))
        assert any("chosen on 0.4 of the rows held out" in note for note in model.notes)
        assert sum(sum(o.counts) for o in model.rules.outcomes) == sum(totals.values())


def split(con, features, fraction, seed):
    """Return the rows of the engine's own split with the weight kept and held out."""
    origin = source("t")
    with connect(origin, con) as engine:
        roles = assign_roles(engine.columns(origin), "y", features=features, weight="w")
        with open_dataset(engine, origin, roles) as dataset:
            dataset, classes = class_counts(dataset, None, None)
            labels = classes.target.classes
            with hold_out(dataset, classes, fraction, seed) as snapshot:
                names = [f"feature_{i}" for i in range(len(features))]
                fetched = con.execute(
                    f"SELECT {', '.join(names)}, label, weight, held_out FROM "
                    f"{snapshot.relation.sql('duckdb')} WHERE label IS NOT NULL"
                ).fetchall()
    rows = []
    for *cells, label, weight, held in fetched:
        row = dict(zip(features, cells, strict=True))
        row |= {"y": labels[label], "held": held, "kept": float(weight) - held}
        rows.append(row)
    totals = {}
    for row in rows:
        totals[row["y"]] = totals.get(row["y"], 0) + row["held"] + row["kept"]
    return rows, totals


def test_validation_sees_through_a_numeric_identifier(con):
    con.execute(
        "CREATE TABLE t AS SELECT (i * 7919 % 1009)::DOUBLE AS id, "
        "CASE WHEN (i * 31) % 10 < 8 THEN (i * 37) % 5 % 2 ELSE 1 - (i * 37) % 5 % 2 END AS y, "
        "CASE (i * 37) % 5 % 2 WHEN 1 THEN 'k' ELSE 'm' END AS x FROM range(400) t(i)"
    )
    without = dbrules.OneR(bins="one_r:1").fit("t", target="y", connection=con)
    assert [column.name for column in without.rules.used] == ["id"]
    assert without.training.objective == 0
    model = dbrules.OneR(bins="one_r:1", validation=0.3).fit("t", target="y", connection=con)
    assert [column.name for column in model.rules.used] == ["x"]
    assert sum(sum(o.counts) for o in model.rules.outcomes) == 400


def test_the_seed_decides_the_split(con):
    con.execute(
        "CREATE TABLE t AS SELECT 'a' || hash(i) % 5 AS a, 'b' || hash(i + 1000) % 5 AS b, "
        "'c' || hash(i + 2000) % 5 AS c, hash(i + 3000) % 2 AS y FROM range(200) t(i)"
    )
    chosen = set()
    for seed in range(12):
        models = [
            dbrules.OneR(validation=0.5, seed=seed).fit("t", target="y", connection=con)
            for _ in range(2)
        ]
        assert models[0].rules == models[1].rules
        chosen.add(models[0].rules.used[0].name)
    assert len(chosen) > 1


HOUSES = [
    ("good", "small", "yes", "high"), ("good", "big", "no", "high"), ("good", "big", "no", "high"),
    ("bad", "medium", "no", "medium"), ("good", "medium", "only cats", "medium"),
    ("good", "small", "only cats", "medium"), ("bad", "medium", "yes", "medium"),
    ("bad", "small", "yes", "low"), ("bad", "medium", "yes", "low"), ("bad", "small", "no", "low"),
]  # fmt: skip


@pytest.mark.parametrize(("feature", "wrong"), [("location", 4), ("size", 3), ("pets", 4)])
def test_ten_houses_errors_of_each_feature(con, feature, wrong):
    con.execute("CREATE TABLE houses (location TEXT, size TEXT, pets TEXT, value TEXT)")
    con.executemany("INSERT INTO houses VALUES (?, ?, ?, ?)", HOUSES)
    model = dbrules.OneR().fit("houses", target="value", features=[feature], connection=con)
    assert model.training.objective == pytest.approx(wrong / 10)


def test_ten_houses(con):
    con.execute("CREATE TABLE houses (location TEXT, size TEXT, pets TEXT, value TEXT)")
    con.executemany("INSERT INTO houses VALUES (?, ?, ?, ?)", HOUSES)
    model = dbrules.OneR().fit("houses", target="value", connection=con)
    found = {rule.conditions[0].value: rule.label for rule in model.rules.rules}
    assert [column.name for column in model.rules.used] == ["size"]
    assert found == {"small": "low", "medium": "medium", "big": "high"}


def test_cervical_cancer(shared_data):
    path = str(shared_data / "cervical_imlbook.parquet")
    model = dbrules.OneR(bins="width:5:right").fit(path, target="Biopsy", positive="Cancer")
    assert [column.name for column in model.rules.used] == ["Age"]
    assert model.training.objective == pytest.approx(55 / 858)
    assert {outcome.label for outcome in model.rules.outcomes} == {"Healthy"}
    assert model.rules.target.classes == ("Cancer", "Healthy")
    assert [rule.outcome.counts for rule in model.rules.rules] == [
        (26, 477), (25, 290), (4, 31), (0, 1), (0, 4)
    ]  # fmt: skip
    # every feature errs alike, so that the first wins
    others = next(note for note in model.notes if note.startswith("equally good as Age"))
    assert others.count(",") + 1 == len(model.rules.features) - 1


def test_bike_rentals(shared_data):
    path = str(shared_data / "bike_imlbook_1ed.parquet")
    model = dbrules.OneR(bins={"cnt": "quantile:4:right", "*": "width:5:right"}).fit(
        path, target="cnt", exclude="days_since_2011"
    )
    assert [column.name for column in model.rules.used] == ["mnth"]
    target = model.rules.target
    assert target.cuts == (3152, 4548, 5956)
    found = {
        rule.conditions[0].value: 1 + target.classes.index(rule.label) for rule in model.rules.rules
    }
    assert found == {
        "JAN": 1, "FEB": 1, "MAR": 1, "APR": 2, "MAY": 4, "JUN": 3, "JUL": 4, "AUG": 4, "SEP": 4,
        "OKT": 4, "NOV": 2, "DEZ": 1,
    }  # fmt: skip


def test_a_numeric_target_is_cut_into_quartiles(con, answers):
    con.execute("CREATE TABLE t AS SELECT i // 25 AS x, i::DOUBLE AS y FROM range(100) t(i)")
    model = dbrules.OneR(bins={"x": [1, 2, 3]}).fit("t", target="y", connection=con)
    target = model.rules.target
    assert len(target.classes) == 4
    assert [o.counts for o in model.rules.outcomes[:4]] == [
        (25, 0, 0, 0), (0, 25, 0, 0), (0, 0, 25, 0), (0, 0, 0, 25)
    ]  # fmt: skip
    assert model.evaluate("t", connection=con).accuracy == 1
    assert len(answers(model, "t", con)) == 100


def test_max_levels_is_named_where_it_blocks(con):
    query = "SELECT 'l' || i % 6 AS x, i % 2 AS y FROM range(60) t(i)"
    assert dbrules.OneR(max_levels=6).fit(query, target="y", connection=con).rules.rules
    with pytest.warns(DbrulesWarning, match="6 levels, more than max_levels 5"):
        model = dbrules.OneR(max_levels=5).fit(query, target="y", connection=con)
    assert model.rules.rules == ()


@pytest.mark.parametrize(
    ("setting", "value"),
    [("ties", "last"), ("missing", "skip"), ("validation", 0), ("validation", 1.0),
     ("validation", True), ("validation", "x"), ("validation", float("nan")), ("max_levels", 0),
     ("max_levels", 2.5), ("min_bucket", 0), ("min_bucket", True), ("trim", 1)],
)  # fmt: skip
def test_a_setting_out_of_its_range_is_refused(setting, value):
    with pytest.raises(InvalidSetting, match=setting):
        dbrules.OneR(**{setting: value})
