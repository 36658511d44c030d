"""What the settings of a Bayesian falling list do, and that what it says of itself is true."""

from __future__ import annotations

import itertools
import json
import math
import warnings

import numpy as np
import pytest
from falling_peak import falling_peak

import dbrules
from dbrules.cli.main import run
from dbrules.errors import DbrulesWarning
from dbrules.language.write import format_conditions

TARGET = {"target": "left_us", "features": ["age", "plan", "calls", "region"]}
FEW = {"chains": 2, "iterations": 300, "draws": 60, "bins": {"age": [30], "calls": [6]}}
PRIOR = {"alpha": 1.0, "beta": 0.1, "alpha_last": 1.0, "beta_last": 0.1}
#: Two columns of two levels; three rows in four follow the first.
SMALL = """
    SELECT i % 2 = 0 AS a, i % 3 = 0 AS b,
      CASE WHEN i % 4 = 3 THEN i % 3 = 0 ELSE i % 2 = 0 END AS y
    FROM range(48) AS r(i)
"""


def fit(con, **settings):
    learner = dbrules.BayesianFallingRuleList(**FEW | settings)
    return learner.fit("customers", **TARGET, connection=con)


def texts(antecedents):
    return tuple(map(format_conditions, antecedents))


def risks(rules):
    place = rules.target.index(rules.target.positive)
    return [outcome.probability[place] for outcome in rules.outcomes]


# -- the most probable list, by looking at every one ---------------------------------------


def every_list(con, *, weights, eta, most, prior):
    """Return log posterior and counts of each list of SMALL, by the names of its antecedents."""
    rows = con.execute(SMALL).fetchall()
    single = {
        (f"{name} = {str(value).upper()}",): [row[place] is value for row in rows]
        for place, name in enumerate("ab") for value in (False, True)
    }  # fmt: skip
    holds = single | {
        (*one, *other): [x and y for x, y in zip(single[one], single[other], strict=True)]
        for one, other in itertools.combinations(single, 2) if one[0][0] != other[0][0]
    }  # fmt: skip
    weight = {
        names: math.prod(weights.get(name[0], 1) for name in names)
        * (eta ** len(names) / math.factorial(len(names)) / 4 if eta else 1)
        for names in holds
    }
    labels = [row[2] for row in rows]
    norm = math.fsum(8.0**size / math.factorial(size) for size in range(most + 1))
    peaks, found = {}, {}
    for size in range(most + 1):
        for names in itertools.permutations(holds, size):
            worth = math.log(8.0**size / math.factorial(size) / norm)
            rest = math.fsum(weight.values())
            left, counts = [True] * len(rows), []
            for name in names:
                worth += math.log(weight[name] / rest)
                rest -= weight[name]
            for held in (*(holds[name] for name in names), [True] * len(rows)):
                hit = [a and b for a, b in zip(left, held, strict=True)]
                left = [a and not b for a, b in zip(left, held, strict=True)]
                positives = sum(y for y, one in zip(labels, hit, strict=True) if one)
                counts.append((positives, sum(hit) - positives))
            key = tuple(counts)
            if key not in peaks:
                peaks[key] = falling_peak(counts, prior)[0]
            found[tuple(map(" AND ".join, names))] = (worth + peaks[key], key)
    return found


@pytest.mark.parametrize(
    ("weights", "eta", "prior"),
    [
        ({"b": 30.0}, None, PRIOR),
        ({"a": 3.0, "b": 0.5}, 0.3, PRIOR),
        ({}, 2.0, {"alpha": 2.5, "beta": 0.6, "alpha_last": 2.0, "beta_last": 0.7}),
        # γ = 1 is so probable that rules that capture nothing make a list more probable
        ({}, None, {"alpha": 1.0, "beta": 5.0, "alpha_last": 1.0, "beta_last": 0.1}),
    ],
)
@pytest.mark.filterwarnings("ignore:no rule found")
def test_the_list_is_the_most_probable_of_all(con, weights, eta, prior):
    every = every_list(con, weights=weights, eta=eta, most=3, prior=prior)
    learner = dbrules.BayesianFallingRuleList(
        clause_weights=weights or None, expected_conditions=eta, max_rules=3, iterations=4000,
        draws=0, **prior,
    )  # fmt: skip
    model = learner.fit(SMALL, target="y", connection=con)
    shown = texts(rule.conditions for rule in model.rules.rules)
    counts = tuple((o.counts[1], o.counts[0]) for o in model.rules.outcomes)
    assert counts == every[shown][1]
    assert -model.objective == pytest.approx(every[shown][0], abs=1e-8)
    assert all(map(sum, counts[:-1]))
    # the most probable ones of all, of which the rules that capture nothing are left out
    best = max(worth for worth, _ in every.values())
    if prior["beta"] == 5:
        assert not all(map(any, max(every.values())[1]))
    cut = {
        tuple(name for name, n in zip(names, counts, strict=False) if any(n))
        for names, (worth, counts) in every.items() if worth > best - 1e-8
    }  # fmt: skip
    assert shown in cut


def test_rules_that_capture_nothing_are_not_printed(con):
    steep = {"beta": 5.0, "iterations": 500}
    for settings in ({"draws": 0}, {"draws": 50, "point": "average"}):
        model = dbrules.BayesianFallingRuleList(**steep, **settings).fit(
            SMALL, target="y", connection=con
        )
        assert model.rules.rules
        assert all(sum(rule.outcome.counts) for rule in model.rules.rules)
        assert model.verify(SMALL, connection=con)
        # the annealed list, and those drawn, had more
        reached = model.diagnostics.annealing or model.diagnostics
        assert reached.trace()["log_posterior"].max() > -model.objective + 1
        if settings["draws"]:
            assert len(model.posterior.intervals) == len(model.rules.outcomes)
            assert len(model.posterior.lists[0].antecedents) > len(model.rules.rules)


def test_ties_go_to_the_first_feature(con):
    rows = "SELECT y AS a, y AS b, y AS c, y FROM (SELECT i % 3 = 0 AS y FROM range(60) AS r(i))"
    for features, seed in itertools.product((["a", "b", "c"], ["c", "b", "a"]), range(2)):
        model = dbrules.BayesianFallingRuleList(iterations=300, draws=0, seed=seed).fit(
            rows, target="y", features=features, connection=con
        )
        assert [rule.features for rule in model.rules.rules] == [(features[0],)]


# -- which clauses ---------------------------------------------------------------------------


def test_the_clauses_of_a_column_of_larger_weight_are_chosen(con):
    rows = "SELECT i % 3 = 0 AS a, i % 3 = 0 AS b, i % 10 < 3 + i % 3 AS y FROM range(300) r(i)"
    for heavy, light in (("a", "b"), ("b", "a")):
        model = dbrules.BayesianFallingRuleList(
            clause_weights={heavy: 3}, iterations=1000, draws=300
        ).fit(rows, target="y", connection=con)
        assert {name for rule in model.rules.rules for name in rule.features} == {heavy}
        share = {texts([antecedent])[0][0]: 0.0 for antecedent, _ in model.posterior.inclusion}
        for antecedent, probability in model.posterior.inclusion:
            if len(antecedent) == 1:
                share[antecedent[0].feature] += probability
        assert share[heavy] > share.get(light, 0)


def test_few_expected_conditions_favour_short_clauses(customers):
    def mean(eta):
        model = fit(customers, expected_conditions=eta, draws=150)
        lists = model.posterior.lists
        lengths = [sum(map(len, o.antecedents)) / max(1, len(o.antecedents)) for o in lists]
        return np.average(lengths, weights=[o.probability for o in lists])

    assert mean(0.02) < mean(1) < mean(50)


def test_no_list_is_longer_than_max_rules(customers):
    for most in (1, 2):
        model = fit(customers, max_rules=most)
        assert len(model.rules.rules) == most
        assert {len(one.antecedents) for one in model.posterior.lists} <= set(range(most + 1))
        assert model.diagnostics.trace()["length"].max() <= most
    assert max(len(one.antecedents) for one in fit(customers).posterior.lists) > 2


def test_supports_of_positives_and_of_negatives(customers):
    for name, place in (("min_support_positive", 1), ("min_support_negative", 0)):
        model = fit(customers, max_rules=1, **{name: 0.2})
        total = sum(outcome.counts[place] for outcome in model.rules.outcomes)
        assert model.rules.rules[0].outcome.counts[place] >= 0.2 * total


# -- what the draws say ----------------------------------------------------------------------


def test_credible_intervals_are_wide_for_few_rows_and_hold_the_risk(customers):
    def fitted(copies):
        data = f"SELECT customers.* FROM customers, range({copies})"
        learner = dbrules.BayesianFallingRuleList(**FEW, max_rules=2, max_conditions=1)
        return learner.fit(data, **TARGET, connection=customers)

    few, many = fitted(1), fitted(100)
    assert [rule.conditions for rule in few.rules.rules] == [r.conditions for r in many.rules.rules]
    widths = []
    for model in (few, many):
        frame = model.posterior.intervals_frame(model.rules)
        yes = frame[frame["class"] == "yes"]
        inside = (yes["lower"] < yes["probability"]) & (yes["probability"] < yes["upper"])
        assert inside.mean() > 0.7
        no = frame[frame["class"] == "no"]
        assert no["lower"].to_numpy() == pytest.approx(1 - yes["upper"].to_numpy())
        assert no["upper"].to_numpy() == pytest.approx(1 - yes["lower"].to_numpy())
        width = (yes["upper"] - yes["lower"]).to_numpy()
        rows = np.array([sum(outcome.counts) for outcome in model.rules.outcomes])
        risk = yes["probability"].to_numpy()
        # about that of a share of as many rows, narrower where the neighbours say more
        normal = 2 * 1.96 * np.sqrt(risk * (1 - risk) / rows)
        assert (width < 1.4 * normal).all()
        widths.append(width)
    assert ((widths[1] > widths[0] / 20) & (widths[1] < widths[0] / 5)).all()


def test_an_average_is_the_mean_of_its_lists(customers, tmp_path):
    model = fit(customers, point="average")
    (note,) = [note for note in model.notes if note.startswith("averages the")]
    lists = model.average.lists
    assert f"averages the {len(lists)} most probable of" in note
    assert len(lists) > 1
    most = [one.probability for one in model.posterior.lists[: len(lists)]]
    assert model.average.weights == pytest.approx([p / sum(most) for p in most])
    assert sum(model.average.weights) == pytest.approx(1)
    for part in lists:
        assert sum(sum(outcome.counts) for outcome in part.outcomes) == 1009
        assert risks(part)[0] <= 1
        assert risks(part) == sorted(risks(part), reverse=True)
    assert model.verify("customers", connection=customers)
    scored = model.predict("customers", connection=customers, probabilities=True).df()
    sums = sum(
        weight * np.array([
            risks(part)[number - 1]
            for number in dbrules.Model(part).predict("customers", connection=customers)
            .df().sort_values("id")["rule"]
        ])
        for part, weight in zip(lists, model.average.weights, strict=True)
    )  # fmt: skip
    found = scored.sort_values("id")["predicted_left_us_probability_yes"].to_numpy()
    assert found == pytest.approx(sums)
    model.save(tmp_path / "model.json")
    assert dbrules.load(tmp_path / "model.json") == model


def test_without_draws_there_is_no_posterior_and_the_list_is_the_same(customers):
    none, some = fit(customers, draws=0), fit(customers)
    assert none.posterior is None
    assert none.diagnostics.annealing is None
    assert (none.rules, none.objective) == (some.rules, some.objective)
    assert some.posterior.log_posterior == -some.objective


def test_diagnostics_have_a_row_for_each_draw_chain_and_move(customers):
    model = fit(customers, chains=3, draws=61)
    diagnostics, posterior = model.diagnostics, model.posterior
    trace = diagnostics.trace()
    assert list(trace.columns) == ["chain", "iteration", "log_posterior", "length"]
    assert list(trace.groupby("chain").size().items()) == [(1, 61), (2, 61), (3, 61)]
    assert posterior.draws == 183
    summary = diagnostics.summary().set_index("quantity")
    assert list(summary.index) == ["log posterior", "length"]
    assert summary["draws"].tolist() == [183, 183]
    assert (posterior.chains, posterior.r_hat) == (3, diagnostics.r_hat)
    assert posterior.effective_sample_size == diagnostics.effective_sample_size
    annealing = diagnostics.annealing
    assert list(annealing.trace().groupby("chain").size()) == [300] * 3
    assert annealing.trace()["log_posterior"].max() <= -model.objective + 1e-9
    moves = [*itertools.product((1, 2, 3), ("swap", "replace", "add", "remove"))]
    for frame in (diagnostics.acceptance(), annealing.acceptance()):
        assert list(zip(frame["chain"], frame["move"], strict=True)) == moves
        assert (frame["accepted"] <= frame["proposed"]).all()
    assert annealing.acceptance()["proposed"].sum() <= 900
    lengths = [len(one.antecedents) * one.probability for one in posterior.lists]
    if sum(one.probability for one in posterior.lists) > 1 - 1e-9:
        assert sum(lengths) == pytest.approx(trace["length"].mean())


# -- seeds, temperatures, limits ---------------------------------------------------------------


def test_temperatures_and_seeds(customers):
    def accepted(**settings):
        frame = fit(customers, draws=0, **settings).diagnostics.acceptance()
        return frame["accepted"].sum() / frame["proposed"].sum()

    assert accepted(temperature=0.2) < accepted(temperature=20)
    cooled = fit(customers, temperature=[5, 0.2])
    assert cooled.settings["temperature"] == [5, 0.2]
    assert fit(customers, temperature=(5, 0.2)) == cooled
    one, other = fit(customers, seed=1), fit(customers, seed=2)
    assert one.posterior.lists != other.posterior.lists
    assert fit(customers, seed=1) == one


@pytest.mark.parametrize("point", ["map", "average"])
@pytest.mark.parametrize("when", ["annealing", "sampling"])
def test_an_interrupt_gives_the_best_list_so_far(customers, monkeypatch, when, point):
    monkeypatch.setattr("dbrules.search.budget._EVERY", 0.0)
    heard = []

    def interrupt(line):
        heard.append(line)
        if sum(line.startswith(when) for line in heard) == 250:
            raise KeyboardInterrupt

    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "no rule found", DbrulesWarning)
        model = fit(customers, iterations=400, draws=10**6, point=point, progress=interrupt)
    assert heard[-1].startswith(when)  # nothing went on
    assert [n for n in model.notes if n.startswith("cut:")] == [
        "cut: the search was interrupted, this is the best list so far"
    ]
    assert (model.posterior, model.average) == (None, None)
    assert len(model.diagnostics.trace()) == (250 if when == "annealing" else 800)
    assert model.verify("customers", connection=customers)
    assert model.rules.rules


def test_an_interrupt_of_the_draws_keeps_those_there_are(customers, monkeypatch):
    monkeypatch.setattr("dbrules.search.budget._EVERY", 0.0)
    heard = []

    def interrupt(line):
        heard.append(line)
        # 2200 sweeps of the list shown, and 50 that warm the first chain up
        if sum(line.startswith("sampling") for line in heard) == 2300:
            raise KeyboardInterrupt

    model = fit(customers, chains=1, draws=100, point="average", progress=interrupt)
    assert "cut: the search was interrupted, this is the best list so far" in model.notes
    assert model.posterior.draws == 50
    assert len(model.diagnostics.trace()) == 50
    assert model.average is not None
    assert model.rules == fit(customers, chains=1, draws=100).rules
    assert model.verify("customers", connection=customers)


@pytest.mark.filterwarnings("ignore:no rule found")
@pytest.mark.parametrize(
    "settings", [{"iterations": 10**7}, {"draws": 10**7}, {"iterations": 10**7, "draws": 0}]
)
def test_a_search_ends_after_its_seconds_and_says_so(customers, settings):
    model = fit(customers, max_seconds=0.3, **settings)
    assert model.training.seconds < 5
    assert [note for note in model.notes if note.startswith("cut:")] == [
        "cut: the search ended at max_seconds=0.3"
    ]
    assert model.verify("customers", connection=customers)


@pytest.mark.filterwarnings("ignore:no rule found")
def test_hardly_any_seconds_are_enough_and_nothing_is_said_where_nothing_was_cut(customers):
    least = fit(customers, max_seconds=1e-6, point="average")
    assert "cut: the search ended at max_seconds=1e-06" in least.notes
    assert least.verify("customers", connection=customers)
    assert not [note for note in fit(customers, max_seconds=60).notes if note.startswith("cut")]


# -- files and commands --------------------------------------------------------------------


@pytest.mark.parametrize(
    "settings",
    [{}, {"draws": 0, "temperature": (5, 0.5)}, {"clause_weights": {"age": 2, "plan": 0.5}}],
)
def test_a_saved_list_is_the_same_list(customers, tmp_path, settings):
    model = fit(customers, **settings)
    model.save(tmp_path / "list.json")
    loaded = dbrules.load(tmp_path / "list.json")
    assert loaded == model
    assert (str(loaded), loaded.to_sql()) == (str(model), model.to_sql())
    assert loaded.posterior == model.posterior
    again = dbrules.BayesianFallingRuleList(**json.loads(json.dumps(model.settings)))
    assert again.fit("customers", **TARGET, connection=customers) == model


def test_from_memory_and_from_the_database(customers):
    settings = {"chains": 1, "iterations": 25, "draws": 5, "max_conditions": 1}
    for point in ("map", "average"):
        models = [
            fit(customers, **settings, point=point, statistics=where)
            for where in ("memory", "database")
        ]
        assert models[0].rules == models[1].rules
        assert models[0].posterior == models[1].posterior
        assert models[0].average == models[1].average
        assert models[0].objective == models[1].objective


def test_a_weight_of_two_is_the_row_twice(customers):
    learner = dbrules.BayesianFallingRuleList(**FEW, point="average")
    weighted = learner.fit("customers", **TARGET, weight="copies", connection=customers)
    repeated = learner.fit(
        "SELECT customers.* FROM customers, range(3) AS r(k) WHERE k < copies",
        **TARGET, connection=customers,
    )  # fmt: skip
    assert weighted.posterior == repeated.posterior
    assert weighted.objective == repeated.objective
    assert weighted.average.weights == repeated.average.weights


def test_the_command_line_fits_shows_scores_and_verifies(customers, tmp_path, capsys):
    data, path, out = (str(tmp_path / n) for n in ("c.parquet", "m.json", "scored.parquet"))
    customers.execute(f"COPY customers TO '{data}'")

    def ran(*arguments):
        capsys.readouterr()
        assert run(list(arguments)) == 0
        return capsys.readouterr().out

    settings = ["iterations=300", "chains=1", "draws=20", "point=average", "bins=quantile:2",
                "temperature=5,0.2", 'clause_weights={"age": 2}']  # fmt: skip
    chosen = [part for setting in settings for part in ("--set", setting)]
    printed = ran("fit", data, "--target", "left_us", "--exclude", "id,since,copies",
                  "--learner", "frl_bayes", *chosen, "-o", path)  # fmt: skip
    model = dbrules.load(path)
    assert printed == f"{model}\n" == ran("show", path)
    assert model.settings["temperature"] == [5, 0.2]
    assert model.settings["clause_weights"] == {"age": 2}
    assert model.average is not None
    assert "SELECT" in ran("sql", path, "--over", "customers")
    ran("predict", path, data, "-o", out)
    assert customers.execute(f"SELECT count(predicted_left_us) FROM '{out}'").fetchall() == [
        (1009,)
    ]
    assert json.loads(ran("evaluate", path, data, "--json"))["rows"] == 1009
    ran("verify", path, data)


# -- what once went wrong ------------------------------------------------------------------


def test_a_seed_below_zero_is_a_seed(con):
    model = dbrules.BayesianFallingRuleList(seed=-1, iterations=20, draws=5).fit(
        SMALL, "y", connection=con
    )
    assert model.training.seed == -1


def test_an_average_that_was_cut_before_a_draw_says_so(con):
    learner = dbrules.BayesianFallingRuleList(
        point="average", iterations=10**6, max_seconds=0.2, chains=1, draws=10**6
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DbrulesWarning)
        model = learner.fit(SMALL, "y", connection=con)
    assert model.average is not None or any("answers by the list" in note for note in model.notes)
    assert any(note.startswith("cut:") for note in model.notes)
