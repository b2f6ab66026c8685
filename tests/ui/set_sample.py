"""A small finished set for the tabs: scripted answers, then some made wrong at several stages, full of hostile text."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tests.core.evaluation.small_sets import litm_file, run
from tests.ui.sample import IMAGE, SCRIPT

QUESTIONS = 6
NAME = f"A set of {SCRIPT}"
WRONG: dict[tuple[int, str], str] = {
    (0, "duquad"): "pruned",
    (1, "duquad"): "judged_wrong",
    (1, "vanilla"): "judged_wrong",
    (3, "vanilla"): "not_in_input",
}
"""(question, system) → the stage at which it lost its evidence; all others are right."""
LUCKY = (2, "duquad")


def set_sample(folder: Path, questions: int = QUESTIONS) -> Path:
    """Writes the set into ``folder`` as the runner leaves it, with its questions beside."""
    folder.mkdir(parents=True, exist_ok=True)
    source = litm_file(folder, questions)
    run(source, folder, pages=folder / "cache").go()
    source.rename(folder / "questions.jsonl")
    manifest = json.loads((folder / "manifest.json").read_text())
    (folder / "manifest.json").write_text(json.dumps(manifest | {"name": NAME}))
    results = folder / "results.jsonl"
    rows = [json.loads(line) for line in results.read_text().splitlines()]
    results.write_text("".join(json.dumps(_changed(row, at // 2)) + "\n" for at, row in enumerate(rows)))
    return folder


def _changed(row: dict[str, Any], number: int) -> dict[str, Any]:
    row["meta"] = {**row.get("meta", {}), "type": "bridge" if number % 2 else f"comparison {IMAGE}"}
    stage = WRONG.get((number, row["system"]))
    if stage:
        scores = row["scores"] | {"accuracy": 0.0}
        row |= {"right": False, "lost_at": stage, "answer": f"{SCRIPT} {{{{value}}}} ${{alert(1)}}", "scores": scores}
    elif (number, row["system"]) == LUCKY:
        row |= {"lucky": True, "lost_at": "pruned"}
    return row
