"""The mammographic list of Wang & Rudin (2015), table 1, and the list that is more probable."""

from __future__ import annotations

import duckdb
import pytest

import dbrules
from dbrules.search.bayes.falling_inner import peak
from dbrules.search.bayes.falling_lists import ListPrior
from dbrules.search.bayes.falling_prior import FallingPrior

#: One column a clause, TRUE or NULL: a missing value meets nothing, and nothing is negated.
CLAUSES = {
    **{f"Shape={v}": f'"Shape" = {v}' for v in (1, 2, 3, 4)},
    **{f"Margin={v}": f'"Margin" = {v}' for v in (1, 2, 3, 4, 5)},
    **{f"Density={v}": f'"Density" = {v}' for v in (1, 2, 3, 4)},
    "Density>=2": '"Density" >= 2',
    **{f"Age>={age}": f'"Age" >= {age}' for age in (30, 45, 60, 75)},
    **{f"Age<{age}": f'"Age" < {age}' for age in (30, 45, 60, 75)},
}
PUBLISHED = (
    ("Shape=4", "Age>=60"),
    ("Margin=5", "Age>=45"),
    ("Margin=4", "Age>=60"),
    ("Shape=4",),
    ("Shape=3", "Density>=2"),
    ("Shape=1", "Age>=60"),
)
#: Rows that each rule captures and the share of malignant ones, the else last.
CAPTURED = (218, 63, 38, 142, 69, 48, 383)
SHARES = (0.867, 0.825, 0.737, 0.669, 0.362, 0.271, 0.112)


@pytest.fixture(scope="module")
def clauses(shared_data):
    columns = ", ".join(f'CASE WHEN {test} THEN true END AS "{c}"' for c, test in CLAUSES.items())
    data = str(shared_data / "mammographic_masses.parquet").replace("'", "''")
    return f"SELECT {columns}, Severity AS malignant FROM '{data}'"


@pytest.fixture(scope="module")
def published(clauses):
    """Malignant and benign rows of each rule of the published list, by plain SQL."""
    whens = " ".join(
        "WHEN " + " AND ".join(f'"{c}" IS NOT NULL' for c in rule) + f" THEN {number}"
        for number, rule in enumerate(PUBLISHED)
    )
    query = (
        f"SELECT CASE {whens} ELSE {len(PUBLISHED)} END AS rule, sum(malignant), "
        f"sum(1 - malignant) FROM ({clauses}) GROUP BY ALL ORDER BY rule"
    )
    with duckdb.connect() as connection:
        rows = connection.execute(query).fetchall()
    return [(float(hits), float(others)) for _, hits, others in rows]


def log_posterior(pairs, rules, antecedents, prior):
    """Return the log posterior of a list at its best risks, up to the evidence."""
    lists = ListPrior(prior.expected_length, [1.0] * antecedents)
    return lists.log(range(rules)) + peak(pairs, prior).value


def test_the_published_list_captures_what_is_printed(published):
    assert tuple(hits + others for hits, others in published) == CAPTURED
    for (hits, others), share in zip(published, SHARES, strict=True):
        assert hits / (hits + others) == pytest.approx(share, abs=5e-4)


@pytest.mark.parametrize("temperature", [1.0, (5.0, 0.2)])
def test_annealing_finds_a_more_probable_list(clauses, published, temperature):
    prior = FallingPrior()
    mined = dbrules.mine(clauses, "malignant", min_support=0.05, missing="drop")
    texts = mined.to_frame()["antecedent"]
    antecedents = len(texts)
    pool = {frozenset(text.replace(" = TRUE", "").split(" AND ")) for text in texts}
    named = [frozenset(f'"{clause}"' for clause in rule) for rule in PUBLISHED]
    assert pool.issuperset(named)
    model = dbrules.BayesianFallingRuleList(
        missing="drop", temperature=temperature, draws=0, chains=1, max_antecedents=antecedents
    ).fit(clauses, "malignant", positive=1)
    found = [(float(o.counts[1]), float(o.counts[0])) for o in model.rules.outcomes]
    reached = log_posterior(found, len(model.rules.rules), antecedents, prior)
    assert -model.objective == pytest.approx(reached, abs=1e-8)
    assert -model.objective >= log_posterior(published, len(PUBLISHED), antecedents, prior)
