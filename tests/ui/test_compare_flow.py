"""The callbacks of the tab Compare as functions, over the fake back end; no browser."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from core.backend.fake import FakeBackend
from core.ingest.page_store import PageStore
from core.records import RecordError, Request
from core.runs import RunStore
from core.settings.app import AppSettings
from core.settings.profiles import PROFILES
from core.systems import SYSTEMS, why_not
from tests.browser.serve import assets
from tests.ui.compare_sample import SYSTEMS as COMPARED
from tests.ui.compare_sample import compare_sample, pdf_compare_sample
from tests.ui.read_assets import SLUG
from tests.ui.sample import GOLD, sample
from ui import inspect_inputs as inputs
from ui.compare_cards import columns_html, examples_html, systems_html
from ui.compare_flow import CompareFlow, ComparePage
from ui.compare_state import DEFAULT, DEFAULT_PDF, CompareView, Comparisons, asked_place
from ui.compare_views import choices
from ui.pages_files import Files
from ui.samples import Samples
from ui.state import Follow, Library

WAIT = 60  # seconds that a scripted comparison may take on a busy machine


@pytest.fixture
def flow(tmp_path: Path) -> Iterator[CompareFlow]:
    store = RunStore(tmp_path / "runs")
    backend = FakeBackend(store, delay=0.0)
    samples = assets(tmp_path / "assets")
    files = Files(PageStore(tmp_path / "cache"), samples.pdfs)
    yield CompareFlow(Comparisons(Library(samples, backend, store)), files, AppSettings())
    backend.close()


def opened(flow: CompareFlow, **query: str) -> ComparePage:
    return flow.load({"tab": "compare", **query}, dark=False)


def finish(flow: CompareFlow, page: ComparePage) -> ComparePage:
    end = time.monotonic() + WAIT
    while page.follow.run_id:
        assert time.monotonic() < end
        time.sleep(0.02)
        page = flow.tick(page.view, page.follow) or page
    return page


def test_it_opens_on_the_recorded_comparison_with_gold_selected(flow: CompareFlow) -> None:
    page = flow.load({}, dark=True)
    assert page.view.address == {"example": "recorded", "doc": str(GOLD + 1)}
    assert page.view.dark and page.view.chosen == COMPARED
    assert page.drawn.columns.count("<article") == 6 and "no reranker" in page.drawn.columns
    assert "hippopotamus" in page.drawn.head and "Done once and used again" in page.drawn.head


def test_the_address_of_another_tab_is_not_read(flow: CompareFlow) -> None:
    page = flow.load({"tab": "lab", "run": "x", "doc": "3"}, dark=False)
    assert page.view.key == "recorded" and page.view.selected == GOLD and page.notice == ""


def test_the_address_names_a_document(flow: CompareFlow) -> None:
    assert opened(flow, example="recorded", doc="3").view.selected == 2
    assert opened(flow, example="recorded", doc="900").view.selected == GOLD
    assert [asked_place({"doc": text}) for text in ("0", "-1", "x", "²", "", "123456")] == [None] * 6


@pytest.mark.parametrize("query", [{"example": "../x"}, {"run": "../../etc"}, {"run": "none"}])
def test_what_does_not_exist_leaves_the_first_comparison_and_says_why(flow: CompareFlow, query: dict[str, str]) -> None:
    page = opened(flow, **query)
    assert page.view.key == "recorded" and 'role="alert"' in page.notice


def test_an_example_without_a_recorded_comparison_is_ready_to_run(flow: CompareFlow) -> None:
    page = flow.act(CompareView(), Follow(), "example", "unrecorded")
    assert page.view.address["example"] == "unrecorded" and page.drawn.columns == ""
    assert "not compared yet" in page.drawn.head and "No system has finished yet" in page.drawn.bump


def test_systems_are_toggled_in_the_order_of_the_list_and_six_at_most(flow: CompareFlow) -> None:
    page = opened(flow, example="unrecorded")
    assert page.view.chosen == DEFAULT
    for name in ("bm25", "fim_attn"):
        page = flow.act(page.view, Follow(), "toggle", name)
    assert page.view.chosen == ("duquad", "vanilla", "bm25", "rrf", "fim_attn", "main_rag")
    full = flow.act(page.view, Follow(), "toggle", "dense")
    assert full.view.chosen == page.view.chosen
    fewer = flow.act(page.view, Follow(), "toggle", "duquad")
    assert "duquad" not in fewer.view.chosen and len(fewer.view.chosen) == 5


@pytest.mark.parametrize("name", ["rrf_rerank", "compare", "sweep", "<b>", ""])
def test_what_cannot_run_here_cannot_be_chosen(flow: CompareFlow, name: str) -> None:
    page = opened(flow, example="unrecorded")
    assert name not in flow.act(page.view, Follow(), "toggle", name).view.chosen


def test_what_was_compared_elsewhere_and_cannot_run_here_can_be_let_go(flow: CompareFlow) -> None:
    page = opened(flow)
    assert "rrf_rerank" in page.view.chosen and page.drawn.systems.count(" disabled") == 9
    page = flow.act(page.view, Follow(), "toggle", "rrf_rerank")
    assert "rrf_rerank" not in page.view.chosen and len(page.view.chosen) == 5


def test_a_document_is_selected_and_let_go(flow: CompareFlow) -> None:
    page = flow.act(opened(flow).view, Follow(), "document", "4")
    assert page.view.selected == 4 and 'data-value="4" aria-pressed="true"' in page.drawn.columns
    assert flow.act(page.view, Follow(), "document", 4).view.selected is None
    for wrong in ("-1", "99", "x", 99, -1):
        assert flow.act(page.view, Follow(), "document", wrong).view.selected is None


def test_arrows_step_through_the_documents(flow: CompareFlow) -> None:
    view = opened(flow, doc="19").view
    for to, selected in (("next", 19), ("next", 19), ("previous", 18), ("none", None), ("next", 0), ("previous", 0)):
        view = flow.act(view, Follow(), "go", to).view
        assert view.selected == selected
    assert flow.act(replace(view, selected=None), Follow(), "go", "previous").view.selected == 19
    assert flow.act(CompareView(), Follow(), "go", "next").view.selected is None


def test_what_makes_no_sense_changes_nothing(flow: CompareFlow) -> None:
    page = opened(flow)
    for what, value in ((None, None), ("toggle", 3), ("example", None), ("document", None), ("x", "y")):
        assert flow.act(page.view, Follow(), what, value).view == page.view


def test_a_comparison_grows_column_by_column_and_opens_again(flow: CompareFlow) -> None:
    page = opened(flow, example="unrecorded")
    page = flow.run(replace(page.view, chosen=("vanilla", "bm25")), page.follow)
    assert page.follow.run_id and "Waiting for the worker" in page.progress
    page = finish(flow, page)
    assert page.notice == "" and page.drawn.columns.count("<article") == 2
    assert "right" in page.drawn.columns or "wrong" in page.drawn.columns
    again = opened(flow, run=page.view.key)
    assert again.view.chosen == ("vanilla", "bm25") and again.drawn.columns == page.drawn.columns


def test_too_few_systems_or_nothing_to_compare_is_said(flow: CompareFlow) -> None:
    page = opened(flow, example="unrecorded")
    assert "at least two" in flow.run(replace(page.view, chosen=("vanilla",)), page.follow).notice
    assert "nothing to compare" in flow.run(CompareView(), Follow()).notice


def test_a_run_that_is_no_comparison_says_where_it_opens(flow: CompareFlow) -> None:
    record = sample()
    run_id = flow.comparisons.library.backend.submit(
        Request(system="vanilla", question=record.question, documents=record.documents), ""
    )
    page = opened(flow, run=run_id)
    end = time.monotonic() + WAIT
    while flow.comparisons.library.backend.result(run_id) is None:
        assert time.monotonic() < end
        time.sleep(0.02)
    for found in (page, opened(flow, run=run_id)):
        assert "inspector" in found.notice or "Inspect" in found.notice


def test_another_comparison_goes_on_in_the_background(flow: CompareFlow) -> None:
    page = flow.act(opened(flow).view, Follow("some-run"), "example", "unrecorded")
    assert "goes on in the background" in page.notice and 'data-value="some-run"' in page.notice
    assert page.follow.run_id == ""


def test_pasted_documents_are_compared(flow: CompareFlow) -> None:
    draft, said = inputs.pasted("Who wrote Faust?", "Goethe", "# A\nGoethe wrote Faust.\n\n# B\nNothing here.")
    page = flow.fresh(draft, opened(flow).view, Follow(), said)
    assert page.view.address == {} and "Who wrote Faust?" in page.drawn.head
    page = finish(flow, flow.run(replace(page.view, chosen=("vanilla", "bm25")), page.follow))
    assert page.drawn.columns.count("<article") == 2 and page.view.kind == "run"


def test_an_exported_comparison_opens_and_a_run_gives_its_documents(flow: CompareFlow, tmp_path: Path) -> None:
    whole, one = tmp_path / "whole.json", tmp_path / "one.json"
    whole.write_text(compare_sample().to_json(), encoding="utf-8")
    one.write_text(sample().to_json(), encoding="utf-8")
    page = flow.opened(str(whole), opened(flow).view, Follow())
    assert page.view.kind == "held" and page.drawn.columns.count("<article") == 6
    page = flow.opened(str(one), CompareView(), Follow())
    assert page.drawn.columns == "" and "not compared yet" in page.drawn.head and page.view.selected == GOLD


@pytest.mark.parametrize(
    "change, said",
    [
        (lambda data: data.pop("schema"), "no 'schema'"),
        (lambda data: data["systems"].reverse(), "does not hold together"),
    ],
)
def test_a_broken_file_is_refused_in_words(flow: CompareFlow, tmp_path: Path, change: object, said: str) -> None:
    data = json.loads(compare_sample().to_json())
    change(data)  # type: ignore[operator]
    path = tmp_path / "x.json"
    path.write_text(json.dumps(data), encoding="utf-8")
    with pytest.raises(RecordError, match=said):
        flow.opened(str(path), CompareView(), Follow())


def test_hostile_text_stays_text(flow: CompareFlow) -> None:
    page = opened(flow)
    for document in range(20):
        drawn = flow.act(replace(page.view, selected=None), Follow(), "document", document).drawn
        for part in drawn:
            assert "<script" not in part and "<img" not in part


def test_a_system_of_another_version_shows_its_name() -> None:
    compared = compare_sample(("vanilla", "bm25"))
    text = compared.to_json().replace('"bm25"', '"<i>future</i>"')
    html = columns_html(type(compared).from_json(text), None, False)
    assert "&lt;i&gt;future&lt;/i&gt;" in html and "<i>" not in html


def test_columns_to_come_say_so() -> None:
    compared = compare_sample(("vanilla", "bm25"))
    started = compared.model_copy(update={"records": compared.records[:1]})
    assert "Still to come." in columns_html(started, None, True)
    assert "It was not run." in columns_html(started, None, False)


def test_the_list_says_what_a_system_costs_or_why_it_cannot_run() -> None:
    html = systems_html(choices("embedded", AppSettings(), False), DEFAULT)
    assert html.count('type="checkbox"') == 15 and html.count(" checked") == 4 and html.count(" disabled") == 1
    assert "2N + 1 calls" in html and "has no reranker" in html
    full = systems_html(choices("embedded", AppSettings(), False), ("a", "b", "c", "d", "e", "vanilla"))
    assert full.count(" disabled") == 14  # only what is chosen can be let go
    assert systems_html(choices("small", AppSettings(), False), DEFAULT).count(" disabled") == 0


def test_a_reranker_of_ones_own_makes_its_system_available() -> None:
    system, embedded = SYSTEMS["rrf_rerank"], PROFILES["embedded"]
    assert "no reranker" in why_not(system, embedded, AppSettings())
    assert why_not(system, embedded, AppSettings(reranker="some/model")) == ""
    assert why_not(SYSTEMS["vanilla"], embedded, AppSettings()) == ""


def test_recorded_examples_come_first(flow: CompareFlow) -> None:
    samples = flow.comparisons.library.samples
    html = examples_html(samples.examples.values(), samples.readings.values(), ["unrecorded"])
    assert html.index('data-value="unrecorded"') < html.index('data-value="recorded"') < html.index("trams-1")
    assert "<img" not in html
    assert "No examples are installed" in examples_html([], [], [])


def test_the_comparisons_that_ship_belong_to_their_examples(flow: CompareFlow, tmp_path: Path) -> None:
    samples = Samples()
    shipped = Comparisons(Library(samples, flow.comparisons.library.backend, RunStore(tmp_path / "runs")))
    slugs = sorted(path.stem for path in (samples.folder / "compare").glob("*.json"))
    assert slugs
    for slug in slugs:
        recorded = shipped.recorded(slug)
        assert recorded and len(recorded.records) == len(recorded.systems) == 6
        assert recorded.question == samples.examples[slug].question
        assert recorded.documents == samples.examples[slug].documents


# ---- PDFs


def test_an_example_whose_pdf_is_not_here_says_so(flow: CompareFlow) -> None:
    page = flow.act(opened(flow).view, Follow(), "example", SLUG)
    assert 'role="alert"' in page.notice and page.view.key == "recorded"


def test_a_question_about_a_pdf_is_put_to_systems_of_pdfs(flow: CompareFlow, tmp_path: Path) -> None:
    (tmp_path / "assets" / "pdfs" / "trams.pdf").write_bytes(one_page_pdf())
    page = flow.act(opened(flow).view, Follow(), "example", SLUG)
    assert page.notice == "" and page.view.chosen == DEFAULT_PDF and "trams.pdf" in page.drawn.head
    assert "SLEUTH" in page.drawn.systems and "MAIN-RAG" not in page.drawn.systems
    assert page.view.asked and page.view.asked.pdf and page.view.asked.documents == ()
    back = flow.act(page.view, Follow(), "example", "unrecorded")
    assert back.view.chosen == DEFAULT and "MAIN-RAG" in back.drawn.systems


def test_a_comparison_over_a_pdf_opens_with_its_pages(flow: CompareFlow, tmp_path: Path) -> None:
    path = tmp_path / "pdf.json"
    path.write_text(pdf_compare_sample().to_json(), encoding="utf-8")
    page = flow.opened(str(path), opened(flow).view, Follow())
    assert page.view.chosen == ("sleuth", "sleuth_c") and page.view.selected == 7
    assert "12 pages" in page.drawn.head
    assert page.drawn.columns.count("<article") == 2 and "Page 8, gold" in page.drawn.columns
    assert 'data-shown="7"' in page.drawn.document
    far = flow.act(page.view, Follow(), "document", 0)
    assert "No system read this page." in far.drawn.document
    assert flow.act(page.view, Follow(), "document", 5000).view.selected is None
    for part in page.drawn:
        assert "<script" not in part and "<img" not in part


def one_page_pdf() -> bytes:
    import pymupdf

    with pymupdf.open() as document:
        document.new_page().insert_text((72, 72), "Trams run every ten minutes.")
        return document.tobytes()


def test_a_column_shows_what_its_run_warned_of() -> None:
    compared = pdf_compare_sample()
    quiet, loud = (record.model_copy(update={"warnings": ()}) for record in compared.records)
    loud = loud.model_copy(update={"warnings": ("Decision: <b>nothing</b> backs it.", "Page 3 could not be read.")})
    page = columns_html(compared.model_copy(update={"records": (quiet, loud)}), None, running=False)
    before, after = page.split("</article>")[:2]
    assert "warning" not in before
    assert "2 warnings" in after
    assert "Decision: &lt;b&gt;nothing&lt;/b&gt; backs it." in after
