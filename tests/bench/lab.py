"""The position lab: what a sweep costs, its grid of heads, and what a choice of heads is worth."""

from __future__ import annotations

import hashlib
import statistics
import sys
import time
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path

import numpy as np
from playwright.sync_api import Playwright, sync_playwright

from core.duquad.bias import grids, recall
from core.duquad.heads import (
    Readings,
    best_heads,
    grown_heads,
    head_ranks,
    head_recall,
    set_ranks,
)
from core.duquad.prompts import answer_prompt
from core.duquad.sweep import run
from core.ingest.questions import QuestionItem, read_questions
from core.models.protocol import Prompt, Reading, Task
from core.records import RecordError, Request, SweepOptions, SweepRecord
from core.settings.methods import HeadPairs
from core.settings.profiles import PROFILES
from core.sweep_record import moved_order
from tests.bench import material
from tests.bench.material import DATA, PLACES, models, never
from tests.bench.page import served
from tests.bench.speed import request, seconds
from tests.bench.table import NotHere, row
from tests.browser.chromium import launch
from ui.samples import ASSETS

K = 6
SIZES = (5, 10, 15, 20, 30)  # of head sets that are tried
CACHE = Path("build/readings")


def prompts(asked: Request, moved: int, places: tuple[int, ...]) -> list[Prompt]:
    """The prompts of a sweep."""
    opener = PROFILES[models().profile].answer_opener
    orders = [moved_order(len(asked.documents), moved, place) for place in places]
    return [answer_prompt(asked.question.text, [asked.documents[i] for i in order], "", opener) for order in orders]


@row("sweep_against_separate", "<= 0.6", "times 20 separate runs of one place each, with all signals and the answer")
def sweep_against_separate() -> float:
    """A whole sweep of twenty places of twenty documents, against its places as runs of their own."""
    return _turns(lambda places: [_swept((place,)) for place in places])


@row("sweep_against_prefills", "> 0", "times 20 bare prefills with attention and reply; the signals count in the sweep")
def sweep_against_prefills() -> float:
    """The same sweep against its prompts alone: no likelihood and no embedding on the other side."""
    asked = _asked()
    return _turns(lambda places: [_alone(prompt) for prompt in prompts(asked, asked.question.gold[0], places)])


def _asked() -> Request:
    asked = request()
    options = SweepOptions(moved=asked.question.gold[0])
    return asked.model_copy(update={"system": "sweep", "sweep": options})


def _swept(places: tuple[int, ...]) -> None:
    asked = _asked()
    for _ in run(
        asked.model_copy(update={"sweep": asked.sweep.model_copy(update={"places": places})}), models(), "bench", never
    ):
        pass


def _alone(prompt: Prompt) -> None:
    most = request().settings.judge_tokens
    reading = models().backbone.read(prompt, never, most)
    models().backbone.complete([Task(prompt, most, reading=reading)], never)


def _turns(apart: Callable[[tuple[int, ...]], object]) -> float:
    """Seconds of a sweep over those of its places apart.

    The two take turns, a place or a few each, so that what else the machine does meets both.
    """
    apart((0,))  # warm
    together, alone, read = 0.0, 0.0, 0
    steps = run(_asked(), models(), "bench", never)
    while True:
        start = time.perf_counter()
        step = next(steps, None)
        together += time.perf_counter() - start
        if step is None:
            return together / alone
        if isinstance(step.record, SweepRecord):
            new = tuple(place.place for place in step.record.places[read:])
            read += len(new)
            alone += seconds(partial(apart, new))


@row("head_grid", "<= 300", "ms for the grid of layers and heads of a recorded sweep")
def head_grid() -> float:
    """Median of five, each from the record itself."""
    taken = []
    for _ in range(5):
        sweep = _recorded()
        start = time.perf_counter()
        head_recall(head_ranks(Readings(grids(sweep.places), tuple(place.place for place in sweep.places))), K)
        taken.append(1000 * (time.perf_counter() - start))
    return statistics.median(taken)


def _recorded() -> SweepRecord:
    for path in sorted((ASSETS / "sweeps").glob("*.json")):
        try:
            return SweepRecord.from_json(path.read_bytes())
        except RecordError as error:
            raise NotHere(f"{path.name} cannot be opened: {error}") from None
    raise NotHere("no recorded sweep ships in assets/sweeps; record it with `python -m core samples --only sweeps`")


@row("first_diagonal", "<= 5", "s from opening the page in a fresh browser to the map of all places, by two clicks")
def first_diagonal() -> float:
    """Median of three visitors who know where to click."""
    with served("fake") as (url, _), sync_playwright() as playwright:
        return statistics.median(_visit(playwright, url) for _ in range(3))


def _visit(playwright: Playwright, url: str) -> float:
    browser = launch(playwright)
    page = browser.new_page(viewport={"width": 1280, "height": 800})
    start = time.perf_counter()
    page.goto(url)
    page.get_by_role("tab", name="Position lab").click()
    page.locator("#wl-lab-card .wl-choice").nth(2).click()
    page.wait_for_function("document.querySelector('#wl-lab-heat .wl-plot .hm')", polling=20)
    taken = time.perf_counter() - start
    browser.close()
    return taken


@row("head_set_recall_6", ">= 0.8", "recall@6 by contrast of heads chosen on one half of NQ-pool-20, on the other half")
def head_set_recall_6() -> float:
    """Heads and their number are chosen on questions of the first half; what is told is the recall on the others."""
    train, test = halves()
    chosen = chosen_heads(train)
    found = {
        "all heads": set_ranks(test, every_head(test)),
        "ten best": set_ranks(test, best_heads(head_ranks(train), 10)),
        f"{len(chosen)} grown": set_ranks(test, chosen),
    }
    for name, rank in found.items():
        _tell(f"{name}: " + ", ".join(f"@{k} {recall(rank, k):.3f}" for k in (1, 3, 6)))
    _tell("heads (layer, head): " + " ".join(map(str, chosen)))
    return recall(found[f"{len(chosen)} grown"], K)


def chosen_heads(train: Readings) -> HeadPairs:
    """A grown head set; its size is the one that did best from each half of the training prompts to the other."""
    middle = len(train.at) // 2
    parts = Readings(train.grid[:middle], train.at[:middle]), Readings(train.grid[middle:], train.at[middle:])
    grown = [grown_heads(part, max(SIZES)) for part in parts]
    worth = {size: np.mean([recall(set_ranks(parts[1 - i], grown[i][:size]), K) for i in range(2)]) for size in SIZES}
    _tell("recall@6 inside the training half by size: " + ", ".join(f"{n}: {r:.3f}" for n, r in worth.items()))
    return grown_heads(train, max(SIZES, key=worth.__getitem__))


def every_head(readings: Readings) -> HeadPairs:
    """All of them: the plain mean."""
    layers, heads = readings.grid.shape[1:3]
    return tuple((layer, head) for layer in range(layers) for head in range(heads))


@cache
def halves() -> tuple[Readings, Readings]:
    """Readings of as many questions of each half as the bench takes, gold at five places each; kept in ``build``."""
    file = DATA / "nq_pool20_gold_at_0.jsonl.gz"
    if not file.exists():
        raise NotHere(f"{file.name} is not here; name its folder in W_LENS_DATA")
    items = read_questions(file).items
    middle = len(items) // 2
    chosen = [*items[: material.QUESTIONS], *items[middle : middle + material.QUESTIONS]]
    grid = []
    for number, item in enumerate(chosen, start=1):
        grid.append(_read(item))
        _tell(f"read {number} of {len(chosen)} questions at {len(PLACES)} places", end="\r")
    half = len(chosen) // 2
    first, last = (Readings(np.concatenate(part), PLACES * len(part)) for part in (grid[:half], grid[half:]))
    return first, last


def _read(item: QuestionItem) -> np.ndarray:
    """Attention at the five places: (P, L, H, N); a prompt with the same words and model is not read again."""
    asked = prompts(Request(question=item.question, documents=item.documents), item.question.gold[0], PLACES)
    words = "\0".join([models().facts["backbone"], models().facts["dtype"], *(prompt.content for prompt in asked)])
    path = CACHE / f"{hashlib.sha256(words.encode()).hexdigest()[:24]}.npy"
    if path.exists():
        kept: np.ndarray = np.load(path)
        return kept
    found: list[Reading] = []
    for prompt in asked:
        found = [*found, models().backbone.read(prompt, never, after=found[-1] if found else None)]
    attention = np.stack([reading.attention for reading in found])
    CACHE.mkdir(parents=True, exist_ok=True)
    np.save(path, attention)
    return attention


def _tell(message: str, end: str = "\n") -> None:
    print(message, end=end, file=sys.stderr, flush=True)
