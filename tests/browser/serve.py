"""The page over the fake back end, with its own small assets: ``python -m tests.browser.serve PORT FOLDER DELAY``.

With a further argument every free text of the assets and of the models' replies is hostile.
"""

from __future__ import annotations

import json
import os
import sys
from dataclasses import replace
from pathlib import Path

os.environ["GRADIO_ANALYTICS_ENABLED"] = "False"

from core.backend.fake import FakeBackend
from core.records import RunRecord
from core.runs import RunStore
from core.settings.app import AppSettings
from tests.browser.hostile_models import hostile_models, spoil
from tests.ui.compare_sample import compare_sample
from tests.ui.read_assets import read_assets, read_pictures
from tests.ui.sample import GOLD, sample
from tests.ui.set_sample import set_sample
from tests.ui.sweep_sample import fix_sample, length_sample, sweep_sample
from ui.samples import Samples
from ui.shell import build, launch_options


def assets(folder: Path) -> Samples:
    """Two examples: one with a recorded run and a recorded sweep, full of hostile text, and one without."""
    record = sample()
    for name in ("examples", "runs", "sweeps", "lengths", "fixes", "compare"):
        (folder / name).mkdir(parents=True, exist_ok=True)
    _example(folder, "recorded", "A recorded example", record)
    (folder / "runs" / "recorded.json").write_text(record.to_json(), encoding="utf-8")
    (folder / "sweeps" / "recorded.json").write_text(sweep_sample().to_json(), encoding="utf-8")
    (folder / "lengths" / "recorded.json").write_text(length_sample().to_json(), encoding="utf-8")
    (folder / "fixes" / "recorded.json").write_text(fix_sample().to_json(), encoding="utf-8")
    (folder / "compare" / "recorded.json").write_text(compare_sample().to_json(), encoding="utf-8")
    _example(folder, "unrecorded", "An example without a run", sample(6))
    read_assets(folder)
    if not (folder / "sets").exists():
        set_sample(folder / "sets" / "recorded")
    return Samples(folder)


def _example(folder: Path, slug: str, headline: str, record: RunRecord) -> None:
    gold = GOLD if len(record.documents) > GOLD else 0
    data = {
        "slug": slug,
        "headline": headline,
        "teaser": "For the tests.",
        "question": record.question.text,
        "answers": list(record.question.answers),
        "documents": [{"id": d.id, "title": d.title, "text": d.text} for d in record.documents],
        "gold": [gold],
    }
    (folder / "examples" / f"{slug}.json").write_text(json.dumps(data), encoding="utf-8")


def main(port: int, folder: Path, delay: float, hostile: bool = False) -> None:
    """Serves until it is killed."""
    os.environ["W_LENS_CACHE"] = str(folder / "cache")  # of the scripted models, too
    read_pictures(folder / "cache")
    store = RunStore(folder / "runs")
    settings = replace(AppSettings.from_env(), port=port, runs=store.root)
    samples = assets(folder / "assets")
    if hostile:
        spoil(samples.folder)
    backend = FakeBackend(store, delay, hostile_models() if hostile else None)
    demo = build(settings, backend, store, samples)
    demo.launch(**launch_options(settings))


if __name__ == "__main__":
    main(int(sys.argv[1]), Path(sys.argv[2]), float(sys.argv[3]), len(sys.argv) > 4)
