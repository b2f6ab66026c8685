"""The systems over PDFs on scripted readers: which calls, over which pages, in which order."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from core.baselines import pdf_mdocagent, pdf_molorag
from core.baselines.pdf_reading import SEES_TEXT, fewer
from core.ingest.lines import InputError
from core.ingest.page_store import PageStore
from core.models.page_protocol import PageTask, PageView
from core.models.profile import Models, Role
from core.models.protocol import PromptTooLong, Stop
from core.models.scripted import scripted_models
from core.models.scripted_calls import Calls
from core.models.scripted_reader import ScriptedPageReader
from core.page_record import PageLayout, Source
from core.records import PdfRef, Question, Request, RunRecord
from core.settings.methods import PdfSettings, RunSettings
from core.sleuth import gathering
from core.systems import SYSTEMS, of_kind
from tests.core.models.pages import layout
from tests.core.models.prompts import never
from tests.core.sleuth.case import SHA, clue, decided, label, level, pages_of, text_of

QUESTION = "When did the Golden Gate bridge open in May?"
# From page 7 down to page 3, each page has one word of the question less.
PAGES = (
    layout(0, ("text", ["Ships"])),
    layout(1, ("text", ["Tides"])),
    layout(2, ("text", ["bridge lake"])),
    layout(3, ("text", ["bridge open sea"])),
    layout(4, ("text", ["bridge open Gate bay"])),
    layout(5, ("text", ["bridge open Gate Golden cove"])),
    layout(6, ("text", ["bridge open Gate Golden May reef"])),
)
RANKED = [6, 5, 4, 3, 2]


@dataclasses.dataclass
class Asked:
    """What a run left and what its reader was asked, call by call."""

    record: RunRecord
    calls: Calls

    @property
    def tasks(self) -> list[PageTask]:
        """Every reply that was asked for, in order; passes without writing as well."""
        found: list[PageTask] = []
        for name, argument in self.calls:
            found += argument if name == "read_pages" else [argument[0]] if name == "weigh_pages" else []
        return found

    @property
    def pages(self) -> list[list[int]]:
        """The pages of each task."""
        return [pages_of(task) for task in self.tasks]


class Narrow(ScriptedPageReader):
    """A reader whose window holds so many pages."""

    most = 3
    says = True

    def complete(self, tasks: Sequence[PageTask], stop: Stop) -> list[Any]:
        """Refuses what is too long, and says how much fits if it can."""
        if any(len(pages_of(task)) > self.most for task in tasks):
            error = PromptTooLong("too long")
            error.fits = self.most if self.says else None
            raise error
        return super().complete(tasks, stop)


Run = Callable[..., Asked]


@pytest.fixture
def ask(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    def run(
        system: str,
        replies: Sequence[str] = (),
        sees: Any = "image",
        agents: Any = "spoken",
        pages: Sequence[PageLayout] = PAGES,
        reader: type[ScriptedPageReader] = ScriptedPageReader,
        **more: Any,
    ) -> Asked:
        store = PageStore(tmp_path)
        store.folder(SHA).mkdir(parents=True, exist_ok=True)
        store.keep_source(Source(name="bridges.pdf", sha256=SHA, pages=len(pages)))

        def read_pages(sha: str, store: PageStore, settings: PdfSettings, stop: Stop) -> Iterator[PageLayout]:
            yield from pages

        monkeypatch.setattr(gathering, "read_pages", read_pages)
        calls: Calls = []
        answering = reader(_unused, replies, calls=calls, sees=sees)
        request = Request(
            system=system,
            question=Question(text=QUESTION, answers=("1937",), gold_pages=(5,)),
            pdf=PdfRef(sha256=SHA),
            settings=RunSettings(pdf=PdfSettings(agents=agents, duquad=False)),
        ).model_copy(update=more)
        *_, last = SYSTEMS[system].load()(request, _models(tmp_path, answering), "run", never)
        assert isinstance(last.record, RunRecord) and last.fraction == 1
        assert RunRecord.from_json(last.record.to_json()) == last.record
        assert not answering._replies, "more was scripted than asked"
        return Asked(last.record, calls)

    return run


def _unused(task: Any) -> str:
    raise AssertionError(f"no reply is left for: {task.prompt.content[-300:]}")


def _models(cache: Path, reader: ScriptedPageReader) -> Models:
    models = scripted_models()

    def role(name: Role) -> Any:
        return reader if name in ("reader", "thinking_reader") else models.role(name)

    return dataclasses.replace(models, cache=cache, role=role)


def shown(record: RunRecord) -> list[int | None]:
    return [record.documents[i].page for i in record.shown or ()]


def kept(record: RunRecord) -> list[int]:
    return [page.page for page in record.pages or () if page.kept]


def test_direct_reads_the_whole_document_in_its_order(ask: Run) -> None:
    found = ask("pdf_direct", ["1937"])
    assert found.pages == [[0, 1, 2, 3, 4, 5, 6]] == [shown(found.record)]
    assert found.record.llm_calls == 1 and found.record.final and found.record.final.answer == "1937"
    assert all(page.rank is None and page.candidate for page in found.record.pages or ())
    assert found.record.question.gold == (5,) and found.record.warnings == ()
    assert "page_encoder" not in found.record.models and found.record.models["reader"] == "scripted-reader"


@pytest.mark.parametrize("says", [True, False])
def test_direct_says_which_pages_fit(ask: Run, says: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Narrow, "says", says)
    record = ask("pdf_direct", ["1937"], reader=Narrow).record
    assert shown(record) == [0, 1, 2] == kept(record) and len(record.documents) == 3
    assert record.warnings == ("Not all pages fit the reader's window: it was shown 3 of 7, pages 1, 2, 3.",)


def test_the_next_number_of_pages_to_try() -> None:
    # 20 of 50 fit beside 50 headings: 30 headings may make room for 3 pages more, and 1 for what is rounded off.
    assert (fewer(50, 20), fewer(24, 21), fewer(22, 21)) == (24, 22, 21)
    assert (fewer(5, None), fewer(2, 0), fewer(5, 0)) == (4, 1, 1)


def test_direct_reads_fifty_pages_at_most(ask: Run) -> None:
    record = ask("pdf_direct", ["1937"], pages=[layout(i, ("text", ["Tides"])) for i in range(52)]).record
    assert shown(record) == list(range(50)) and record.warnings == ("Only the first 50 of 52 pages are read directly.",)


def test_a_reader_for_whom_not_one_page_fits_is_an_error(ask: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Narrow, "most", 0)
    with pytest.raises(PromptTooLong):
        ask("pdf_base", reader=Narrow)


@pytest.mark.parametrize(
    ("system", "said", "most"),
    [
        ("pdf_base", "Answer the question from the document above.", 256),
        ("m3docrag", "the answer and nothing else", 128),
    ],
)
def test_the_best_pages_in_rank_order_in_one_call(ask: Run, system: str, said: str, most: int) -> None:
    found = ask(system, ["1937"])
    assert found.pages == [RANKED] == [shown(found.record)]
    (task,) = found.tasks
    assert said in text_of(task) and f"Question: {QUESTION}" in text_of(task) and task.max_new_tokens == most
    assert found.record.llm_calls == 1 and [d.page for d in found.record.documents] == sorted(RANKED)
    assert text_of(task).startswith("Page 7:\n\n\nPage 6:")


def test_base_leaves_out_the_worst_where_not_all_fit(ask: Run) -> None:
    record = ask("pdf_base", ["1937"], reader=Narrow).record
    assert shown(record) == [6, 5, 4] and "3 of 5, pages 7, 6, 5." in record.warnings[0]


def test_a_reader_of_text_says_so_once_and_answers_as_short_as_the_others(ask: Run) -> None:
    found = ask("pdf_base", ["No answers found!"], sees="text", agents="signals")
    assert found.record.warnings == (SEES_TEXT,)
    assert found.tasks[0].max_new_tokens == 48 and found.tasks[0].opener == "According to the document,"
    assert found.record.final and found.record.final.no_answer


def test_five_agents_of_mdocagent(ask: Run) -> None:
    hints = json.dumps({"text": "the year", "image": "the orange towers"})
    replies = ["1936", hints, "1937", "1938", json.dumps({"Answer": "It was 1937."})]
    found = ask("mdocagent", replies)
    assert found.pages == [RANKED + RANKED, RANKED + RANKED, RANKED, RANKED, []]
    assert [call.stage for call in found.record.calls if call.kind == "generate"] == [
        "general", "critical", "agents", "summary",
    ]  # fmt: skip
    assert found.record.llm_calls == 5 and shown(found.record) == RANKED
    general, critical, text, image, summary = found.tasks
    assert critical.parts[: len(general.parts)] == general.parts and "You answered: 1936" in text_of(critical)
    assert "key point: the year" in text_of(text) and "key point: the orange towers" in text_of(image)
    assert "from the text of" in text_of(text) and "from the images of" in text_of(image)
    assert QUESTION in text_of(summary)
    assert all(f"assistant answered: {said}" in text_of(summary) for said in ("1936", "1937", "1938"))
    assert found.record.final and found.record.final.answer == "It was 1937."


def test_mdocagent_without_readable_hints_or_summary(ask: Run) -> None:
    found = ask("mdocagent", ["1936", "no idea", "1937", "1938", "1937 it is"], sees="text")
    assert found.pages == [RANKED, RANKED, RANKED, RANKED, []]
    assert not any("key point:" in text_of(task) for task in found.tasks[2:4])
    assert found.record.final and found.record.final.answer == "1937 it is"


def test_the_text_agent_is_shown_no_picture(tmp_path: Path) -> None:
    (view,) = pdf_mdocagent.as_text_alone([PageView(PAGES[0], tmp_path)])
    assert view.picture is None and view.layout == PAGES[0]


def _linked(monkeypatch: pytest.MonkeyPatch, pairs: Sequence[tuple[int, int]]) -> None:
    graph = {
        page: frozenset({b for a, b in pairs if a == page} | {a for a, b in pairs if b == page}) for page in range(7)
    }
    monkeypatch.setattr(pdf_molorag, "links", lambda means: graph)


def test_molorag_walks_rates_and_reads(ask: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    _linked(monkeypatch, [(6, 0), (0, 1)])
    found = ask("molorag", ["1", "5", "3", "5", "none", "1937"])
    # The beam 6, 5, 4; then page 0 beside 6; then page 1 beside 0; then nothing is left.
    assert found.pages == [[6], [5], [4], [0], [1], [5, 0, 4, 6, 1]]
    assert found.record.llm_calls == 5 + 1 and found.record.counts and found.record.counts["visited"] == 5
    assert shown(found.record) == [5, 0, 4, 6, 1] and [d.page for d in found.record.documents] == [0, 1, 4, 5, 6]
    pages = {page.page: page for page in found.record.pages or ()}
    assert pages[0].rationale.startswith("Rated 5.0 of 5; similarity 0.")
    assert not pages[3].candidate and not pages[3].rationale


def test_molorag_falls_back_to_base(ask: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    _linked(monkeypatch, [])
    monkeypatch.setattr(pdf_molorag, "scaled", lambda scores: [0.0] * len(scores))
    found = ask("molorag", ["1", "1", "1", "1937"])
    assert found.pages == [[6], [5], [4], RANKED] and shown(found.record) == RANKED
    assert found.record.warnings[-1].startswith("No page reached MoLoRAG's bar")


def test_molorag_weighs_ratings_where_the_model_cannot_speak(ask: Run) -> None:
    pages = [page.model_copy(update={"page": number}) for number, page in enumerate(PAGES[4:])]
    found = ask("molorag", ["1937"], sees="text", agents="signals", pages=pages)
    weighed = [argument for name, argument in found.calls if name == "weigh_pages"]
    assert [options for _, options in weighed] == [tuple((d, f" {d}") for d in "12345")] * 3
    assert found.record.llm_calls == 4
    # The scripted reader: 0.75 for 1 and 0.0625 for each of the others: 0.75 + 0.0625 · 14 = 1.625.
    rationale = (found.record.pages or ())[2].rationale
    assert rationale == "Rated 1.6 of 5; similarity 1.00 of 1; together 0.49 (kept from 0.3)."
    assert sum(call.prompt_tokens for call in found.record.calls if call.stage == "rating") > 0


def test_a_page_that_is_too_long_to_be_rated_counts_as_one(ask: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    class Short(ScriptedPageReader):
        def complete(self, tasks: Sequence[PageTask], stop: Stop) -> list[Any]:
            if any(pages_of(task) == [5] for task in tasks):
                raise PromptTooLong("too long")
            return super().complete(tasks, stop)

    _linked(monkeypatch, [])
    found = ask("molorag", ["4", "5", "1937"], reader=Short)
    assert (found.record.pages or ())[5].rationale.startswith("Rated 1.0 of 5")


@pytest.mark.parametrize(
    ("said", "rating"), [("4", 4), ("Rating: 2.", 2), ("10", 3), ("none", 3), ("", 3), ("0 or 5", 5)]
)
def test_ratings_are_read(said: str, rating: float) -> None:
    assert pdf_molorag.read_rating(said) == rating


PLAN = json.dumps({"steps": ["Find the bridge", "Find the year"]})
SAMPLE = json.dumps({"task": "When did the tower open?", "steps": ["Find the tower"]})


def judged(plan: bool = False, steps: bool = False, mistake: str = "") -> str:
    return json.dumps({"plan_wrong": plan, "steps_wrong": steps, "mistake": mistake})


def test_mact_takes_four_calls_beside_its_steps(ask: Run) -> None:
    found = ask("mact", [SAMPLE, PLAN, "on page 7", "1937", judged(), "In 1937"])
    assert found.pages == [[], [], RANKED, RANKED, [], []] and found.record.llm_calls == 2 + 4
    _, plan, first, second, judge, answer = map(text_of, found.tasks)
    assert "When did the tower open?\nStep 1: Find the tower" in plan
    assert "Carry out step 1 and only that" in first and "Question: Find the bridge" in first
    assert "Step 1: Find the bridge – on page 7\nStep 2: Find the year\n" in second
    assert "Step 2: Find the year – 1937" in judge and "Step 2: Find the year – 1937" in answer
    assert any("untrained reader" in warning for warning in found.record.warnings)
    assert shown(found.record) == RANKED and found.record.final and found.record.final.answer == "In 1937"


def test_mact_corrects_a_plan_and_a_step(ask: Run) -> None:
    one = json.dumps({"steps": ["Find the year"]})
    wrong_plan, wrong_step = judged(plan=True, steps=True, mistake="no ship"), judged(steps=True, mistake="wrong row")
    found = ask("mact", [SAMPLE, PLAN, "a ship", "1935", wrong_plan, one, "1936", wrong_step, "1937", judged(), "1937"])
    texts = list(map(text_of, found.tasks))
    assert "The plan before was wrong: no ship" in texts[5] and "avoid it: wrong row" in texts[8]
    assert "Mistaken before: a ship 1935 (no ship)\nMistaken before: 1936 (wrong row)" in texts[-1]
    assert found.record.counts and found.record.counts["corrections"] == 2 and found.record.llm_calls == 11


def test_mact_goes_back_three_times_at_most(ask: Run) -> None:
    one = json.dumps({"steps": ["Find the year"]})
    found = ask("mact", [SAMPLE, one, *["1936", judged(steps=True)] * 4, "1937"])
    assert found.record.counts and found.record.counts["corrections"] == 3 and found.record.llm_calls == 2 + 8 + 1


def test_mact_reads_what_cannot_be_read(ask: Run) -> None:
    found = ask("mact", ["tower", "first look", "1937", "fine", "1937"])
    assert f"Question: {QUESTION}" in text_of(found.tasks[2]) and found.record.llm_calls == 5


def test_mact_weighs_its_judgment_where_the_model_cannot_speak(ask: Run) -> None:
    found = ask("mact", [SAMPLE, PLAN, "page 7", "1937", "1937"], sees="text", agents="signals")
    assert [name for name, _ in found.calls] == ["read_pages"] * 4 + ["weigh_pages", "read_pages"]
    assert found.record.llm_calls == 6 and found.record.warnings[0] == SEES_TEXT


def test_sleuth_takes_two_calls_a_page_and_two_more(ask: Run) -> None:
    page = [clue("bridge open", confidence="high"), label("Relevant")]
    asked = {"sleuth": page * 5 + [level(0), decided("1937")], "sleuth_cp": page * 5 + [decided("1937")]}
    asked["sleuth_c"] = [page[0]] * 5 + [decided("1937")]
    calls = {system: ask(system, replies).record.llm_calls for system, replies in asked.items()}
    assert calls == {"sleuth": 2 * 5 + 2, "sleuth_cp": 2 * 5 + 1, "sleuth_c": 5 + 1}


PEERS = [system.name for system in of_kind("pdf") if not system.name.startswith("sleuth")]


@pytest.mark.parametrize("system", PEERS)
def test_every_system_needs_a_pdf_and_a_run_of_its_own(ask: Run, system: str) -> None:
    with pytest.raises(InputError, match="choose one"):
        ask(system, pdf=None)
    with pytest.raises(InputError, match="Only SLEUTH"):
        ask(system, resume=ask("pdf_base", ["1937"]).record)


@pytest.mark.parametrize("system", PEERS)
def test_a_page_without_words_stops_no_system(ask: Run, system: str) -> None:
    replies = {"mdocagent": ["a"] * 5, "molorag": ["3", "a"], "mact": ["a"] * 5}
    found = ask(system, replies.get(system, ["a"]), pages=[layout(0)])
    assert shown(found.record) == [0] and found.record.final and found.record.final.answer == "a"
