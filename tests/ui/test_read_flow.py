"""The tab's callbacks as functions, over the fake back end; no browser."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pymupdf
import pytest

from core.backend.fake import FakeBackend
from core.ingest.page_store import PageStore
from core.ingest.pdf import PdfError
from core.records import Question, RecordError, Request
from core.runs import RunStore
from core.settings.methods import PdfSettings
from tests.browser.serve import assets
from tests.ui.read_assets import OPEN, SLUG, read_pictures
from tests.ui.read_sample import COUNT, EVIDENCE, SHA, read_sample
from ui.pages_files import Files
from ui.read_flow import ReadFlow, ReadPage
from ui.read_state import ReadView
from ui.samples import Samples
from ui.state import Follow, Library

WAIT = 60  # seconds that a scripted run may take on a busy machine


@pytest.fixture
def flow(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ReadFlow]:
    monkeypatch.setenv("W_LENS_CACHE", str(tmp_path / "cache"))
    store, samples = RunStore(tmp_path / "runs"), assets(tmp_path / "assets")
    backend = FakeBackend(store, delay=0.0)
    yield ReadFlow(Library(samples, backend, store), Files(PageStore(tmp_path / "cache"), samples.pdfs))
    backend.close()


def pdf(path: Path, password: str = "") -> Path:
    """Two pages of text."""
    document = pymupdf.open()
    for text in ("The harbour line was opened in 1904.", "Its depot stood beside the old mill."):
        document.new_page(width=300, height=200).insert_text((30, 60), text)
    locks = {"encryption": pymupdf.PDF_ENCRYPT_AES_256, "user_pw": password, "owner_pw": password} if password else {}
    document.save(path, **locks)
    return path


def finish(flow: ReadFlow, page: ReadPage) -> ReadPage:
    """Ticks until the followed run is over."""
    end = time.monotonic() + WAIT
    view, follow, last = page.view, page.follow, page
    while follow.run_id:
        assert time.monotonic() < end
        time.sleep(0.02)
        new = flow.tick(view, follow)
        if isinstance(new, ReadPage):
            view, follow, last = new.view, new.follow, new
        elif new:
            follow = new
    return last


# ---- what is opened


def test_the_tab_opens_on_the_recorded_run_at_its_first_citation(flow: ReadFlow) -> None:
    page = flow.load({"tab": "pdf"}, dark=True)
    assert page.view.address == {"example": SLUG, "p": str(EVIDENCE + 1), "cite": "1"}
    assert page.view.dark and page.notice == "" and not page.follow.run_id
    assert "4,310 passengers" in page.drawn.answer
    assert page.question == read_sample().question.text


def test_an_address_of_another_tab_is_not_this_tabs(flow: ReadFlow) -> None:
    assert flow.load({"tab": "lab", "run": "x" * 22}, dark=False).notice == ""


@pytest.mark.parametrize("query", [{"run": "x" * 22}, {"run": "../../etc"}, {"example": "nope"}])
def test_an_address_of_nothing_opens_the_first_example_with_the_reason(flow: ReadFlow, query: dict[str, str]) -> None:
    page = flow.load({"tab": "pdf", **query}, dark=False)
    assert 'role="alert"' in page.notice and page.view.key == SLUG


def test_without_examples_the_tab_invites(tmp_path: Path, flow: ReadFlow) -> None:
    library = Library(Samples(tmp_path / "none"), flow.library.backend, RunStore(tmp_path / "runs"))
    page = replace(flow, library=library).load({"tab": "pdf"}, dark=False)
    assert "upload your own PDF" in page.drawn.head and page.picture is None
    assert "no PDF yet" in replace(flow, library=library).run(page.view, page.follow, "q?", PdfSettings()).notice


def test_pictures_come_from_the_page_store_and_only_for_pages_that_there_are(flow: ReadFlow) -> None:
    view = flow.load({"tab": "pdf"}, dark=False).view
    assert flow.load({"tab": "pdf"}, dark=False).picture is None, (
        "nothing is in the store, and there is no file to draw"
    )
    read_pictures(flow.files.store.root)
    page = flow.act(view, Follow(), "page", 3)
    assert page.picture and page.picture["key"] == SHA and page.picture["page"] == 3
    assert str(page.picture["uri"]).startswith("data:image/png;base64,")
    assert "data-picture" in page.drawn.page
    found = flow.thumbs(view, Follow(), [0, COUNT - 1, COUNT, -1, "1", True, None])
    assert found and sorted(found["uris"]) == ["0", "11"]  # type: ignore[call-overload]
    assert flow.thumbs(view, Follow(), "all") is None


def test_an_opened_record_is_shown_and_one_that_is_not_of_a_pdf_is_refused(flow: ReadFlow) -> None:
    page = flow.opened(read_sample("none"), ReadView(), Follow("other"))
    assert "No answer in this document" in page.drawn.answer and 'data-value="other"' in page.notice
    assert page.view.address == {}
    with pytest.raises(RecordError, match="tab Inspect"):
        flow.opened(read_sample().model_copy(update={"source": None}), ReadView(), Follow())
    broken = read_sample().model_copy(update={"signals": read_sample().signals.model_copy(update={"attention": ()})})  # type: ignore[union-attr]
    with pytest.raises(RecordError, match="cannot be drawn"):
        flow.opened(broken, ReadView(), Follow())


# ---- uploads


def test_an_uploaded_pdf_is_ready_with_its_pages_drawn(flow: ReadFlow, tmp_path: Path) -> None:
    source = flow.files.take_in(pdf(tmp_path / "harbour.pdf"), "harbour.pdf")
    page = flow.taken(source, ReadView(dark=True), Follow())
    assert "This PDF is ready" in page.drawn.answer and "harbour.pdf" in page.drawn.source
    assert page.picture and page.view.page == 0 and page.view.dark
    found = flow.thumbs(page.view, Follow(), [0, 1])
    assert found and sorted(found["uris"]) == ["0", "1"]  # type: ignore[call-overload]


def test_a_locked_pdf_asks_for_its_password_and_shows_nothing_to_others(flow: ReadFlow, tmp_path: Path) -> None:
    path = pdf(tmp_path / "locked.pdf", password="secret")
    for wrong in ("", "guess"):
        with pytest.raises(PdfError) as refused:
            flow.files.take_in(path, "locked.pdf", wrong)
        assert refused.value.kind == "encrypted"
    source = flow.files.take_in(path, "locked.pdf", "secret")
    mine = flow.taken(source, ReadView(), Follow())
    assert mine.picture
    record = read_sample().model_copy(update={"source": source.model_copy(update={"pages": COUNT})})
    theirs = flow.opened(record, ReadView(), Follow())
    assert theirs.picture is None and flow.thumbs(theirs.view, Follow(), [0]) is None
    assert "not on this server" in flow.run(theirs.view, Follow(), "q?", PdfSettings()).notice


# ---- running


def test_a_question_about_an_uploaded_pdf_runs_to_its_end(flow: ReadFlow, tmp_path: Path) -> None:
    source = flow.files.take_in(pdf(tmp_path / "harbour.pdf"), "harbour.pdf")
    opened = flow.taken(source, ReadView(), Follow())
    started = flow.run(opened.view, opened.follow, "When was the harbour line opened?", PdfSettings(top_k=1))
    assert started.follow.run_id == started.view.key and "progressbar" in started.progress
    begun = flow.record(started.view)  # a quick run has a record before the head is drawn
    assert "being run" in started.drawn.head or (begun and begun.source and "2 pages" in started.drawn.head)
    assert "harbour line" in started.drawn.head and "harbour.pdf" in started.drawn.source
    attached = flow.load({"tab": "pdf", "run": started.view.key}, dark=False)
    assert "When was the harbour line" in attached.drawn.head
    page = finish(flow, attached)
    record = flow.record(page.view)
    assert record and record.final and record.settings.pdf.top_k == 1 and record.pages
    assert page.progress == page.notice == ""
    again = flow.load({"tab": "pdf", "run": page.view.key}, dark=False)
    assert again.drawn.answer == page.drawn.answer and not again.follow.run_id


def test_a_run_of_documents_is_sent_to_its_own_tab(flow: ReadFlow) -> None:
    example = flow.library.samples.examples["unrecorded"]
    run_id = flow.library.backend.submit(Request(question=example.question, documents=example.documents))
    page = flow.load({"tab": "pdf", "run": run_id}, dark=False)
    assert "open it in the tab Inspect" in page.notice


def test_what_cannot_be_asked_keeps_the_page_and_what_was_written(flow: ReadFlow, tmp_path: Path) -> None:
    opened = flow.load({"tab": "pdf"}, dark=False)
    missing = flow.run(opened.view, opened.follow, "Another question?", PdfSettings(top_k=9))
    assert "not on this server" in missing.notice
    assert (missing.question, missing.pdf.top_k) == ("Another question?", 9)
    assert missing.view.address == opened.view.address
    mine = flow.taken(flow.files.take_in(pdf(tmp_path / "a.pdf"), "a.pdf"), ReadView(), Follow())
    assert "no question" in flow.run(mine.view, mine.follow, " ", PdfSettings()).notice


def test_deciding_again_needs_a_change_and_takes_the_earlier_run_over(flow: ReadFlow, tmp_path: Path) -> None:
    opened = flow.load({"tab": "pdf"}, dark=False)
    assert "Nothing has changed" in flow.again(opened.view, Follow()).notice
    source = flow.files.take_in(pdf(tmp_path / "harbour.pdf"), "harbour.pdf")
    record = read_sample()
    here = record.model_copy(update={"source": record.source.model_copy(update={"sha256": source.sha256})})  # type: ignore[union-attr]
    page = flow.opened(here, ReadView(), Follow())
    back = flow.act(page.view, Follow(), "back", 8)
    assert "Kept by hand: page 9" in back.drawn.again
    started = flow.again(back.view, Follow())
    asked = flow.library.request(started.view.key)
    assert asked and asked.resume and asked.settings.pdf.put_back == (8,) and asked.pdf
    assert started.drawn.clues == page.drawn.clues or "4,310" in started.drawn.clues
    assert "has not been written yet" in started.drawn.answer


def test_leaving_a_run_shows_the_way_back(flow: ReadFlow) -> None:
    opened = flow.load({"tab": "pdf"}, dark=False)
    left = flow.act(opened.view, Follow("running-run"), "example", SLUG)
    assert 'data-read="run" data-value="running-run"' in left.notice
    assert flow.tick(left.view, Follow("running-run")) is None
    assert flow.act(opened.view, Follow(), "example", "no-such").view.key == SLUG


def test_a_question_of_its_own_has_no_known_answer(flow: ReadFlow, tmp_path: Path) -> None:
    source = flow.files.take_in(pdf(tmp_path / "harbour.pdf"), "harbour.pdf")
    assert flow.record(flow.taken(source, ReadView(), Follow()).view).question == Question(text="")  # type: ignore[union-attr]


def test_the_tab_opens_on_a_run_whose_evidence_is_cited(flow: ReadFlow) -> None:
    samples, right = flow.library.samples, read_sample()
    elsewhere = right.model_copy(update={"citations": (right.citations or ())[1:]})
    folder = samples.folder / "pdf_runs"
    (folder / f"{SLUG}.json").write_text(elsewhere.to_json(), encoding="utf-8")
    (folder / f"{OPEN}.json").write_text(right.to_json(), encoding="utf-8")
    assert Samples(samples.folder).first_reading() == OPEN
