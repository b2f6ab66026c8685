"""Small question sets on disk, and runs over them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from core.evaluation.engines import Engine
from core.evaluation.local_engine import LocalEngine
from core.evaluation.runner import SetRun
from core.evaluation.store import SetStore
from core.ingest.sets.question_set import open_set
from core.models.scripted import scripted_models

_PEOPLE = ("Ada", "Bo", "Cy", "Di", "Ed", "Flo", "Gus", "Hal")


def row(number: int, gold: int = 1) -> dict[str, Any]:
    """A question over three documents; scripted models find the gold one by its words."""
    person = f"{_PEOPLE[number % len(_PEOPLE)]}{number}"
    documents = [{"id": str(place), "title": f"Note {place}", "text": f"Nothing of note {place}."} for place in (0, 1)]
    documents.insert(gold, {"title": person, "text": f"The painter {person} lived in Town{number} by the sea."})
    return {
        "question": f"Where lived the painter {person}?",
        "answers": [f"Town{number}"],
        "ctxs": [document | {"isgold": place == gold} for place, document in enumerate(documents)],
    }


def litm_file(folder: Path, questions: int) -> Path:
    """A file in the lost-in-the-middle format."""
    path = folder / "set.jsonl"
    path.write_text("".join(json.dumps(row(number, number % 3)) + "\n" for number in range(questions)))
    return path


def run(source: Path, out: Path, engine: Engine | None = None, **options: Any) -> SetRun:
    """A run that is ready to go."""
    options = {"systems": ("duquad", "vanilla"), "profile": "embedded", "pages": out.parent / "cache"} | options
    return SetRun(open_set(source), SetStore(out), engine or LocalEngine(scripted_models()), **options)


def timeless(out: Path) -> dict[str, str]:
    """Every file of the results by name, without times: what may not depend on who computed them."""
    return {
        path.relative_to(out).as_posix(): "\n".join(
            json.dumps(_cut(json.loads(line)), sort_keys=False) for line in path.read_text().splitlines()
        )
        for path in sorted(out.rglob("*.json*"))
    }


def _cut(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _cut(part) for key, part in value.items() if key not in ("seconds", "created", "shared_seconds")}
    return [_cut(part) for part in value] if isinstance(value, list) else value
