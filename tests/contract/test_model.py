"""What every model tells of its fit: training, settings, journal, text and JSON."""

from __future__ import annotations

import json
from dataclasses import fields

import pytest

import dbrules
from dbrules.errors import InvalidSetting, UnknownSetting

FEATURES = ["age", "score", "single", "price", "city", "flag", "day", "moment", "zoned"]
TRAINING = {"rows", "excluded_rows", "seconds", "seed", "objective", "lower_bound",
            "sql_statements"}  # fmt: skip


@pytest.fixture
def model(learner, people):
    return learner.fit("people", target="y", features=FEATURES, connection=people)


def test_the_json_has_the_format_of_version_1(learner, model):
    document = model.to_json()
    assert list(document)[:4] == ["dbrules", "kind", "learner", "target"]
    assert {"features", "rules", "else", "training"} <= set(document)
    kind = "rule_average" if learner.settings().get("point") == "average" else "rule_list"
    assert (document["dbrules"], document["kind"]) == (1, kind)
    assert document["learner"]["name"] == learner.name
    assert document["target"] == {
        "name": "y", "type": "VARCHAR", "classes": ["no", "yes"], "positive": "yes"
    }  # fmt: skip
    assert [feature["name"] for feature in document["features"]] == FEATURES
    for rule in document["rules"]:
        assert {"if", "then", "probability", "counts"} <= set(rule)
        assert all({"feature", "op"} <= set(part) for part in rule["if"])
    assert set(document["training"]) >= TRAINING
    assert document["training"]["seed"] == learner.seed
    assert json.loads(json.dumps(document, allow_nan=False)) == document


def test_saved_and_loaded_the_model_is_the_same(model, tmp_path):
    path = tmp_path / "model.json"
    model.save(path)
    loaded = dbrules.load(path)
    assert loaded == model
    assert (str(loaded), loaded.to_sql()) == (str(model), model.to_sql())
    loaded.save(tmp_path / "again.json")
    assert (tmp_path / "again.json").read_bytes() == path.read_bytes()


def test_the_text_reads_back_as_the_same_rules(model):
    again = dbrules.parse_rule_list(
        str(model), target=model.rules.target, features=model.rules.features
    )
    assert [r.conditions for r in again.rules] == [r.conditions for r in model.rules.rules]
    assert [o.label for o in again.outcomes] == [o.label for o in model.rules.outcomes]


def test_settings_make_the_same_learner_again(learner, people, model):
    settings = learner.settings()
    # what does not tell learners apart, such as whom to tell of progress, is no setting of a model
    assert set(settings) == {field.name for field in fields(learner) if field.compare}
    again = type(learner)(**json.loads(json.dumps(settings)))
    assert again.settings() == settings
    assert model.settings == settings
    refitted = again.fit("people", target="y", features=FEATURES, connection=people)
    assert refitted.rules == model.rules


def test_a_learner_keeps_nothing_of_a_fit(learner, people, three_classes):
    before = learner.settings()
    first = learner.fit("people", target="y", features=FEATURES, connection=people)
    learner.fit("people", **three_classes, features=FEATURES, connection=people)
    assert learner.settings() == before
    second = learner.fit("people", target="y", features=FEATURES, connection=people)
    assert first.rules == second.rules
    with pytest.raises(AttributeError):
        learner.seed = 1


def test_the_journal_has_every_statement(learner, people, model):
    assert len(model.journal) == model.training.sql_statements > 0
    for entry in model.journal:
        assert entry.name
        assert entry.sql
        assert isinstance(entry.parameters, dict)
        assert entry.rows >= 0
        assert entry.ms >= 0
    names = [entry.name for entry in model.journal]
    assert names[0] == "profile/classes"
    assert {entry.parameters.get("column") for entry in model.journal} >= set(FEATURES)
    assert all(name in str(model.journal) for name in names)
    # a statement that returns rows says how many
    by_class = people.execute(model.journal[0].sql).fetchall()
    assert len(by_class) == model.journal[0].rows


def test_a_setting_that_does_not_exist_is_named_with_its_near_match(learner):
    with pytest.raises(UnknownSetting, match=r"no setting 'sed' \(did you mean 'seed'\?\)"):
        type(learner)(sed=1)
    with pytest.raises(InvalidSetting, match="seed"):
        type(learner)(seed="x")
    with pytest.raises(InvalidSetting, match="bins"):
        type(learner)(bins="no_such_method")


def test_a_frame_of_the_rules(model):
    frame = model.to_frame()
    assert len(frame) == len(model.rules.outcomes)
    assert list(frame["rule"]) == list(range(1, len(frame) + 1))
    assert frame["antecedent"].iloc[-1] == "ELSE"
    assert frame[["n_no", "n_yes"]].to_numpy().sum() == model.training.rows
