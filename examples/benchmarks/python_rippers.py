"""wittgenstein (RIPPER in Python) and mlrl-seco (separate and conquer in C++), two classes each."""

from __future__ import annotations

import importlib.util
import warnings
from typing import Any

import numpy as np
import pandas as pd
from spent import Spent, spent


def available(package: str) -> bool:
    """Whether a package, such as mlrl.seco, can be imported."""
    try:
        return importlib.util.find_spec(package) is not None
    except ModuleNotFoundError:
        return False


class Wittgenstein:
    """Its RIPPER with its own settings (k = 2, numbers in ten bins), for the first class."""

    def __init__(self, frame: pd.DataFrame, target: str, classes: list[Any]) -> None:
        self.features, self.labels = frame.drop(columns=target), frame[target] == classes[0]
        self.model: Any = None

    def fit(self, rows: np.ndarray | None = None) -> Spent:
        """Return what a fit to these rows took, or to all."""
        from wittgenstein import RIPPER

        chosen = slice(None) if rows is None else rows
        features, labels = self.features.iloc[chosen], self.labels.iloc[chosen]
        self.model = RIPPER(random_state=1)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return spent(lambda: self.model.fit(features, y=labels, pos_class=True))

    def predict(self, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the places of the predicted classes, and probabilities (rows × classes)."""
        features = self.features.iloc[rows]
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            positive = np.asarray(self.model.predict(features), dtype=bool)
            chances = np.asarray(self.model.predict_proba(features), dtype=float)
        return np.where(positive, 0, 1), chances[:, ::-1]

    def size(self) -> tuple[int, int]:
        """Return how many rules there are, and how many conditions."""
        rules = self.model.ruleset_.rules
        return len(rules), sum(len(rule.conds) for rule in rules)


class Seco:
    """SeCoClassifier with its own settings, for the first class."""

    def __init__(self, frame: pd.DataFrame, target: str, classes: list[Any]) -> None:
        features = frame.drop(columns=target)
        numeric = [features[name].dtype.kind in "iuf" for name in features]
        self.nominal = [place for place, number in enumerate(numeric) if not number]
        self.x = np.column_stack(
            [
                features[name].to_numpy(np.float32, na_value=np.nan)
                if number
                else features[name].astype("category").cat.codes.to_numpy(np.float32)
                for name, number in zip(features, numeric, strict=True)
            ]
        )  # fmt: skip
        self.y = (frame[target] == classes[0]).to_numpy(np.uint8)[:, None]
        self.model: Any = None

    def fit(self, rows: np.ndarray | None = None) -> Spent:
        """Return what a fit to these rows took, or to all."""
        from mlrl.seco import SeCoClassifier

        x, y = (self.x, self.y) if rows is None else (self.x[rows], self.y[rows])
        self.model = SeCoClassifier()
        return spent(lambda: self.model.fit(x, y, nominal_feature_indices=self.nominal))

    def size(self) -> tuple[int, None]:
        """Return the number of rules without the default; it does not tell its conditions."""
        rules = self.model.model_
        return rules.get_num_rules() - rules.contains_default_rule(), None
