"""What the settings of a Bayesian rule list do, and that what the model says of itself is true."""

from __future__ import annotations

import itertools
import json
import math
import warnings
from collections import Counter

import numpy as np
import pytest

import dbrules
from dbrules.cli.main import run
from dbrules.errors import DbrulesWarning
from dbrules.language.write import format_conditions

TARGET = {"target": "left_us", "features": ["age", "plan", "calls", "region"]}
FEW = {"chains": 2, "iterations": 600, "bins": {"age": [30], "calls": [6]}}
#: Two columns of two levels; three rows in four follow the first.
SMALL = """
    SELECT i % 2 = 0 AS a, i % 3 = 0 AS b,
      CASE WHEN i % 4 = 3 THEN i % 3 = 0 ELSE i % 2 = 0 END AS y
    FROM range(48) AS r(i)
"""
SMALL_FIT = {"max_conditions": 1, "chains": 4, "min_support": 0.05}


def fit(con, **settings):
    return dbrules.BayesianRuleList(**FEW | settings).fit("customers", **TARGET, connection=con)


def texts(posterior_list):
    return tuple(format_conditions(antecedent) for antecedent in posterior_list.antecedents)


# -- the posterior, by looking at every list -----------------------------------------------


def every_list(con, *, alpha, mean, most=None):
    """Return the log posterior of each list of the antecedents of SMALL, of one condition each."""
    rows = con.execute(SMALL).fetchall()
    holds = {
        f"{name} = {str(value).upper()}": [row[place] is value for row in rows]
        for place, name in enumerate("ab") for value in (False, True)
    }  # fmt: skip
    labels = [row[2] for row in rows]
    sizes = range(min(most or 4, 4) + 1)
    norm = math.fsum(mean**size / math.factorial(size) for size in sizes)
    found = {}
    for size in sizes:
        for names in itertools.permutations(holds, size):
            worth = math.log(mean**size / math.factorial(size) / norm)
            worth -= math.log(math.perm(4, size))
            left, counts = [True] * len(rows), []
            for held in (*(holds[name] for name in names), [True] * len(rows)):
                taken = [a and b for a, b in zip(left, held, strict=True)]
                left = [a and not b for a, b in zip(left, held, strict=True)]
                n = Counter(y for y, one in zip(labels, taken, strict=True) if one)
                counts.append((n[False], n[True]))
                worth += math.lgamma(sum(alpha)) - math.lgamma(sum(alpha) + sum(counts[-1]))
                worth += sum(
                    math.lgamma(a + n) - math.lgamma(a)
                    for a, n in zip(alpha, counts[-1], strict=True)
                )
            found[names] = (worth, counts)
    return found


@pytest.mark.parametrize(
    ("alpha", "mean", "most"), [(1.0, 3.0, None), ({"true": 2.0, "false": 0.5}, 1.0, 2)]
)
def test_the_posterior_is_that_of_every_list(con, alpha, mean, most):
    pair = (1.0, 1.0) if isinstance(alpha, float) else (0.5, 2.0)
    by_label = alpha if isinstance(alpha, float) else {False: 0.5, True: 2.0}
    every = every_list(con, alpha=pair, mean=mean, most=most)
    settings = {**SMALL_FIT, "alpha": by_label, "expected_length": mean, "max_rules": most}
    learner = dbrules.BayesianRuleList(**settings, iterations=40_000)
    model = learner.fit(SMALL, target="y", connection=con)
    logs = {names: worth for names, (worth, _) in every.items()}
    best = max(logs.values())
    total = math.fsum(math.exp(worth - best) for worth in logs.values())
    probability = {names: math.exp(worth - best) / total for names, worth in logs.items()}
    drawn = {texts(one): one.probability for one in model.posterior.lists}
    assert set(drawn) <= set(probability)
    assert sum(abs(drawn.get(n, 0) - p) for n, p in probability.items()) / 2 < 0.02
    inclusion = {format_conditions(a): p for a, p in model.posterior.inclusion}
    for name, share in inclusion.items():
        exact = math.fsum(p for names, p in probability.items() if name in names)
        assert share == pytest.approx(exact, abs=0.02)
    # of lists of which each rule captures a row, ours is the most probable one
    full = [worth for worth, counts in every.values() if all(map(sum, counts[:-1]))]
    exact = dbrules.BayesianRuleList(**settings, iterations=50, search="exact").fit(
        SMALL, target="y", connection=con
    )
    assert exact.proved
    for found in (model, exact):
        assert -found.objective == pytest.approx(max(full), abs=1e-9)
        assert found.posterior.log_posterior == -found.objective


# -- which list answers --------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(3))
def test_brl_point_is_the_most_probable_list_of_typical_length(con, seed):
    settings = {**SMALL_FIT, "iterations": 2000, "seed": seed, "expected_length": 2.5}
    learner = dbrules.BayesianRuleList(**settings, point="brl_point")
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "no rule found", DbrulesWarning)
        model = learner.fit(SMALL, target="y", connection=con)
    assert sum(one.probability for one in model.posterior.lists) == pytest.approx(1)
    mean = sum(len(one.antecedents) * one.probability for one in model.posterior.lists)
    assert mean % 1
    every = every_list(con, alpha=(1, 1), mean=2.5)
    typical = [
        texts(one) for one in model.posterior.lists
        if len(one.antecedents) in (math.floor(mean), math.ceil(mean))
    ]  # fmt: skip
    best = max(every[names][0] for names in typical)
    # without the rules that capture nothing
    shown = {
        tuple(name for name, n in zip(names, every[names][1], strict=False) if any(n))
        for names in typical if every[names][0] > best - 1e-9
    }  # fmt: skip
    assert tuple(format_conditions(rule.conditions) for rule in model.rules.rules) in shown


def test_an_average_is_the_mean_of_its_lists(customers, tmp_path):
    model = fit(customers, point="average", chains=1, iterations=80)
    (note,) = [note for note in model.notes if note.startswith("averages the")]
    lists = model.average.lists
    assert f"averages the {len(lists)} most probable of" in note
    assert len(lists) > 1
    assert sum(model.average.weights) == pytest.approx(1)
    most = [one.probability for one in model.posterior.lists[: len(lists)]]
    assert model.average.weights == pytest.approx([p / sum(most) for p in most])
    for part in lists:
        counts = np.array([outcome.counts for outcome in part.outcomes])
        assert counts.sum() == 1009
        shares = (counts + 1) / (counts + 1).sum(axis=1, keepdims=True)
        assert np.array([o.probability for o in part.outcomes]) == pytest.approx(shares)
    assert model.verify("customers", connection=customers)
    scored = model.predict("customers", connection=customers, probabilities=True).df()
    sums = sum(
        weight * np.array([
            part.outcomes[number - 1].probability[1]
            for number in dbrules.Model(part).predict("customers", connection=customers)
            .df().sort_values("id")["rule"]
        ])
        for part, weight in zip(lists, model.average.weights, strict=True)
    )  # fmt: skip
    found = scored.sort_values("id")["predicted_left_us_probability_yes"].to_numpy()
    assert found == pytest.approx(sums)
    model.save(tmp_path / "model.json")
    assert dbrules.load(tmp_path / "model.json") == model


def test_alpha_is_counted_with_each_class(customers):
    model = fit(customers, alpha={"yes": 20, "no": 5}, max_rules=2)
    for outcome in model.rules.outcomes:
        no, yes = outcome.counts
        assert outcome.probability == pytest.approx(((no + 5) / (no + yes + 25),
                                                     (yes + 20) / (no + yes + 25)))  # fmt: skip
    assert model.settings["alpha"] == {"yes": 20, "no": 5}
    assert fit(customers, alpha={"yes": 1}).rules == fit(customers).rules


# -- lengths, chains, limits ---------------------------------------------------------------


def test_no_list_of_the_posterior_is_longer_than_max_rules(customers):
    for most in (1, 2):
        model = fit(customers, max_rules=most, expected_length=8)
        assert len(model.rules.rules) == most
        assert {len(one.antecedents) for one in model.posterior.lists} <= set(range(most + 1))
    assert max(len(o.antecedents) for o in fit(customers, expected_length=8).posterior.lists) > 2


def test_a_longer_expected_length_and_more_expected_conditions_are_seen_in_the_draws(customers):
    def mean(value, **settings):
        lists = fit(customers, iterations=1000, temperature=5, **settings).posterior.lists
        return np.average(
            [value(o.antecedents) for o in lists], weights=[o.probability for o in lists]
        )

    assert mean(len, expected_length=1) < mean(len, expected_length=12)
    assert mean(lambda a: sum(map(len, a)) / max(1, len(a)), expected_conditions=0.1) < mean(
        lambda a: sum(map(len, a)) / max(1, len(a)), expected_conditions=9
    )  # fmt: skip


def test_a_hot_chain_accepts_more_and_another_seed_walks_elsewhere(customers):
    def accepted(model):
        frame = model.diagnostics.acceptance()
        return frame["accepted"].sum() / frame["proposed"].sum()

    cold, hot = fit(customers, temperature=0.2), fit(customers, temperature=50)
    assert accepted(cold) < accepted(fit(customers)) < accepted(hot)
    one, other = fit(customers, seed=1), fit(customers, seed=2)
    assert one.posterior.lists != other.posterior.lists
    assert fit(customers, seed=1) == one


def test_diagnostics_have_a_row_for_each_iteration_chain_and_move(customers):
    model = fit(customers, chains=3, iterations=501)
    diagnostics, posterior = model.diagnostics, model.posterior
    trace = diagnostics.trace()
    assert list(trace.groupby("chain").size().items()) == [(1, 501), (2, 501), (3, 501)]
    assert diagnostics.warm_up == 250
    assert posterior.draws == 3 * 251 == diagnostics.summary()["draws"].item()
    assert (posterior.chains, posterior.r_hat) == (3, diagnostics.r_hat)
    assert posterior.effective_sample_size == diagnostics.effective_sample_size
    acceptance = diagnostics.acceptance()
    moves = [*itertools.product((1, 2, 3), ("move", "add", "remove"))]
    assert list(zip(acceptance["chain"], acceptance["move"], strict=True)) == moves
    assert acceptance.groupby("chain")["proposed"].sum().tolist() == [501] * 3
    assert trace["log_posterior"].max() <= -model.objective + 1e-9
    frame = posterior.intervals_frame(model.rules)
    assert len(frame) == 2 * len(model.rules.outcomes)
    assert ((frame["lower"] < frame["probability"]) & (frame["probability"] < frame["upper"])).all()


@pytest.mark.parametrize("settings", [{}, {"point": "average"}, {"search": "exact"}])
def test_an_interrupt_gives_the_best_list_so_far(customers, monkeypatch, settings):
    monkeypatch.setattr("dbrules.search.budget._EVERY", 0.0)

    def interrupt(line):
        if line.startswith("iteration 127 "):  # turns of the chains double
            raise KeyboardInterrupt

    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "no rule found", DbrulesWarning)
        model = fit(customers, iterations=100_000, progress=interrupt, **settings)
    assert "cut: the search was interrupted, this is the best list so far" in model.notes
    assert sum(note.startswith("cut:") for note in model.notes) == 1
    assert len(model.diagnostics.trace()) == 254
    assert model.posterior.draws == 254  # so early a cut leaves no warm-up
    assert model.proved is None
    assert model.verify("customers", connection=customers)


def test_an_interrupted_proof_has_the_bound_so_far(customers, monkeypatch):
    monkeypatch.setattr("dbrules.search.budget._EVERY", 0.0)

    def interrupt(line):
        if line.startswith("3 prefixes"):
            raise KeyboardInterrupt

    model = fit(customers, search="exact", progress=interrupt, max_nodes=100)
    assert "cut: the search was interrupted, this is the best list so far" in model.notes
    assert (model.proved, model.training.nodes) == (False, 3)
    assert model.training.lower_bound < model.objective
    whole = fit(customers, search="exact", max_nodes=100)
    assert whole.training.lower_bound >= model.training.lower_bound
    assert "cut: the search ended at max_nodes=100" in whole.notes


@pytest.mark.filterwarnings("ignore:no rule found")
@pytest.mark.parametrize("search", ["mcmc", "exact"])
def test_a_search_ends_after_its_seconds_and_says_so(customers, search):
    model = fit(customers, max_seconds=0.4, iterations=10**7, search=search)
    assert model.training.seconds < 5
    assert [note for note in model.notes if note.startswith("cut: the search ended at max_seconds")]
    assert model.posterior.draws > 0
    # and nothing is said where nothing was cut
    assert not [note for note in fit(customers, max_seconds=60).notes if note.startswith("cut")]


# -- files and commands --------------------------------------------------------------------


@pytest.mark.parametrize(
    "settings", [{}, {"search": "exact", "max_nodes": 5}, {"alpha": {"yes": 2}}]
)
def test_a_saved_list_is_the_same_list(customers, tmp_path, settings):
    model = fit(customers, **settings)
    model.save(tmp_path / "list.json")
    loaded = dbrules.load(tmp_path / "list.json")
    assert loaded == model
    assert str(loaded) == str(model)
    assert loaded.posterior.probability_of(loaded.rules) == model.posterior.probability_of(
        model.rules
    )
    assert dbrules.BayesianRuleList(**json.loads(json.dumps(model.settings))).fit(
        "customers", **TARGET, connection=customers
    ) == model  # fmt: skip


def test_from_memory_and_from_the_database(customers):
    settings = {"chains": 1, "iterations": 25, "max_conditions": 1}
    for point in ("map", "brl_point", "average"):
        models = [
            fit(customers, **settings, point=point, statistics=where)
            for where in ("memory", "database")
        ]
        assert models[0].rules == models[1].rules
        assert models[0].posterior == models[1].posterior
        assert models[0].average == models[1].average
        assert models[0].objective == models[1].objective


def test_a_weight_of_two_is_the_row_twice(customers):
    learner = dbrules.BayesianRuleList(**FEW, point="average")
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

    settings = [
        "iterations=500",
        "chains=1",
        "point=average",
        "bins=quantile:2",
        'alpha={"yes": 2}',
    ]
    chosen = [part for setting in settings for part in ("--set", setting)]
    printed = ran("fit", data, "--target", "left_us", "--exclude", "id,since,copies",
                  "--learner", "brl", *chosen, "-o", path)  # fmt: skip
    model = dbrules.load(path)
    assert printed == f"{model}\n" == ran("show", path)
    assert (model.settings["point"], model.settings["alpha"]) == ("average", {"yes": 2})
    assert model.average is not None
    assert "SELECT" in ran("sql", path, "--over", "customers")
    ran("predict", path, data, "-o", out)
    assert customers.execute(f"SELECT count(predicted_left_us) FROM '{out}'").fetchall() == [
        (1009,)
    ]
    assert json.loads(ran("evaluate", path, data, "--json"))["rows"] == 1009
    ran("verify", path, data)


# -- what once went wrong ------------------------------------------------------------------


def test_a_map_without_idle_rules_is_improved_once_more(con):
    rows = """SELECT * FROM (VALUES ('u', 's', 'p', 3), ('v', 's', 'q', 2), ('u', 's', 'p', 3),
        (NULL, 't', 'p', 3), (NULL, 't', 'p', 1), ('v', 't', 'p', 2), ('v', 't', 'p', 3),
        (NULL, 't', 'q', 3)) AS rows(a, b, y, w)"""
    settings = {
        "expected_length": 10, "expected_conditions": 2.5, "alpha": 0.3, "min_support": 0.3,
        "max_antecedents": 4, "iterations": 4000, "chains": 3,
    }  # fmt: skip
    exact, walked = (
        dbrules.BayesianRuleList(**settings, search=search).fit(
            rows, "y", weight="w", connection=con
        )
        for search in ("exact", "mcmc")
    )
    assert exact.proved
    assert walked.objective == pytest.approx(exact.objective)


def test_weights_of_billions_have_intervals(con):
    rows = """SELECT i % 2 AS y, i % 10 < 8 AND i % 2 = 0 AS a, 1000000000 * (i % 3) AS w
        FROM range(60) AS r(i)"""
    model = dbrules.BayesianRuleList(iterations=200).fit(rows, "y", weight="w", connection=con)
    for row in model.posterior.intervals:
        assert all(0 <= lower <= upper <= 1 for lower, upper in row)


def test_many_classes_are_averaged_over_few_lists(con):
    rows = "SELECT (i * 7) % {k} AS y, i % 4 AS a, i % 3 AS b FROM range(600) AS r(i)"
    learner = dbrules.BayesianRuleList(
        point="average", iterations=400, min_support=0.01, expected_length=6
    )
    model = learner.fit(rows.format(k=15), "y", connection=con)
    assert len(model.average.lists) <= 1500 // 15**2
    assert len(model.to_sql()) < 400_000
    with pytest.raises(dbrules.errors.InvalidSetting, match="60 classes"):
        learner.fit(rows.format(k=60).replace("(i * 7)", "'c' || (i * 7)"), "y", connection=con)
