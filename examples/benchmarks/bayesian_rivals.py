"""Classifiers of scikit-learn beside the lists: logistic regression, CART, a random forest."""

from __future__ import annotations

from typing import Any

import pandas as pd

try:
    from sklearn.compose import ColumnTransformer
    from sklearn.ensemble import RandomForestClassifier
    from sklearn.impute import SimpleImputer
    from sklearn.linear_model import LogisticRegression
    from sklearn.metrics import roc_auc_score
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import OneHotEncoder, StandardScaler
    from sklearn.tree import DecisionTreeClassifier
except ModuleNotFoundError:
    AVAILABLE = False
else:
    AVAILABLE = True

NAMES = ("logistic", "CART", "forest")


def aurocs(train: pd.DataFrame, test: pd.DataFrame, target: str, positive: Any) -> list[float]:
    """Return the AUROC on ``test`` of each of NAMES.

    Text becomes one column a level, a missing one is a level; numbers have the median where they
    are missing, and for the regression mean 0 and deviation 1. A leaf of the tree has ten rows at
    least: without that its probabilities are 0 and 1.
    """
    features = train.drop(columns=target)
    numbers = list(features.select_dtypes("number").columns)
    texts = [name for name in features.columns if name not in numbers]
    models = (
        LogisticRegression(max_iter=2000),
        DecisionTreeClassifier(min_samples_leaf=10, random_state=0),
        RandomForestClassifier(n_estimators=300, random_state=0),
    )
    scaled = make_pipeline(SimpleImputer(strategy="median"), StandardScaler())
    found = []
    for model in models:
        encoding = ColumnTransformer(
            [
                ("numbers", scaled, numbers),
                ("texts", OneHotEncoder(handle_unknown="ignore", sparse_output=False), texts),
            ]
        )  # fmt: skip
        fitted = make_pipeline(encoding, model).fit(features, train[target] == positive)
        chances = fitted.predict_proba(test.drop(columns=target))[:, 1]
        found.append(float(roc_auc_score(test[target] == positive, chances)))
    return found
