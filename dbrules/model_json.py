"""Model files: plain JSON, version 1."""

from __future__ import annotations

import json
import os
import tempfile
from typing import TYPE_CHECKING, Any

from dbrules.errors import InvalidModel
from dbrules.falling import Falling
from dbrules.language.json import (
    rule_list_from_json,
    rule_list_to_json,
    rule_set_from_json,
    rule_set_to_json,
)
from dbrules.language.json_average import rule_average_from_json, rule_average_to_json
from dbrules.language.rule_set import RuleSet
from dbrules.posterior import Posterior
from dbrules.training import Training

if TYPE_CHECKING:
    from dbrules.model import Model

VERSION = 1
#: A list, a set, or a list beside the average of lists that answers: a reader that does not know
#: the average must not answer by the list.
KINDS = ("rule_list", "rule_set", "rule_average")


def model_to_json(model: Model) -> dict[str, Any]:
    """Return a model as a dict of plain JSON values, in the order of the format."""
    body = (
        rule_set_to_json(model.rules)
        if isinstance(model.rules, RuleSet)
        else rule_list_to_json(model.rules)
    )
    kind = body.pop("kind")
    document = {
        "dbrules": VERSION,
        "kind": kind if model.average is None else "rule_average",
        "learner": {"name": model.learner, **model.settings},
        **body,
    }
    if model.average is not None:
        document["average"] = rule_average_to_json(model.average)
    if model.falling is not None:
        document["falling"] = model.falling.to_json()
    if model.posterior is not None:
        document["posterior"] = model.posterior.to_json(model.rules.features)
    return document | {"training": model.training.to_json()}


def model_fields(document: Any, where: str) -> dict[str, Any]:
    """Return the fields of the model of a document by name; InvalidModel if it is broken."""
    if not isinstance(document, dict) or "dbrules" not in document:
        raise InvalidModel(f"{where} is not a dbrules model: give a file that save() wrote")
    version = document["dbrules"]
    if version != VERSION or isinstance(version, bool):
        raise InvalidModel(
            f"{where} is of format version {version!r}, this dbrules reads {VERSION}: "
            "upgrade dbrules or save the model again"
        )
    if document.get("kind") not in KINDS:
        raise InvalidModel(
            f"{where}: kind {document.get('kind')!r} is not one that a model can be, "
            f"{' or '.join(KINDS)}; save the model again"
        )
    learner = document.get("learner")
    training = document.get("training")
    if not isinstance(learner, dict) or not isinstance(learner.get("name"), str):
        raise InvalidModel(f"{where}: 'learner' with a 'name' is missing; save the model again")
    if not isinstance(training, dict):
        raise InvalidModel(f"{where}: 'training' is missing; save the model again")
    origin = {
        "learner": learner["name"],
        "settings": {name: value for name, value in learner.items() if name != "name"},
        "training": Training.from_json(training, where),
    }
    if document["kind"] == "rule_set":
        return {"rules": _rule_set(document, where), **origin}
    rules = rule_list_from_json(document | {"kind": "rule_list"})
    average = None
    if document["kind"] == "rule_average":
        average = rule_average_from_json(document, "average", rules)
    falling = Falling.from_json(document.get("falling"), where)
    if falling is not None:
        falling.refuse_rising(rules, where)
    return {
        "rules": rules,
        **origin,
        "falling": falling,
        "average": average,
        "posterior": Posterior.from_json(document.get("posterior"), where, rules.features),
    }


def _rule_set(document: dict[str, Any], where: str) -> RuleSet:
    """Return the rule set of a document, which has nothing that belongs to a list."""
    for key in ("average", "falling", "posterior"):
        if document.get(key) is not None:
            raise InvalidModel(
                f"{where}: {key!r} goes with a rule list, not with a rule set: leave it out"
            )
    return rule_set_from_json(document)


def read_document(path: str | os.PathLike[str]) -> Any:
    """Return the JSON of a file; InvalidModel where there is none."""
    try:
        with open(path, encoding="utf-8") as file:
            return json.load(file)
    except FileNotFoundError:
        raise InvalidModel(
            f"model file {os.fspath(path)!r} does not exist: check the path"
        ) from None
    except OSError as error:
        raise InvalidModel(
            f"model file {os.fspath(path)!r} cannot be read: {error.strerror}; check it"
        ) from None
    except (ValueError, RecursionError) as error:
        reason = str(error).splitlines()[0]
        raise InvalidModel(
            f"model file {os.fspath(path)!r} is not whole JSON: {reason}; save the model again"
        ) from None


def write_document(path: str | os.PathLike[str], document: dict[str, Any]) -> None:
    """Write JSON beside ``path`` and move it there: a file is whole or not there."""
    text = json.dumps(document, indent=2, ensure_ascii=False, allow_nan=False) + "\n"
    path = os.path.realpath(path)  # a link stays a link
    folder = os.path.dirname(path)
    if os.path.exists(path) and not os.path.isfile(path):
        raise InvalidModel(f"model file {path!r} is not a plain file: give the path of a file")
    try:
        handle, temporary = tempfile.mkstemp(dir=folder, prefix=".dbrules-", suffix=".json")
        try:
            with open(handle, "w", encoding="utf-8") as file:
                file.write(text)
            umask = os.umask(0)
            os.umask(umask)
            os.chmod(temporary, 0o666 & ~umask)
            os.replace(temporary, path)
        except BaseException:
            os.unlink(temporary)
            raise
    except OSError as error:
        raise InvalidModel(
            f"model file {os.fspath(path)!r} cannot be written: {error.strerror}; "
            "give a path in a folder that exists"
        ) from None
