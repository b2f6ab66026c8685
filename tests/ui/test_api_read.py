"""The public function about PDFs, as a caller meets it: through the page, with an uploaded file."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import gradio as gr
import pytest
from gradio_client import Client, handle_file
from gradio_client.exceptions import AppError

from core.backend.fake import FakeBackend
from core.runs import RunStore
from core.settings.app import AppSettings
from ui.shell import build


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    root = tmp_path_factory.mktemp("read")
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("W_LENS_CACHE", str(root / "cache"))
        settings = AppSettings.from_env()
        store = RunStore(root / "runs")
        backend = FakeBackend(store, delay=0)
        demo = build(settings, backend, store)
        _, url, _ = demo.launch(prevent_thread_lock=True, quiet=True, max_file_size=2**24)
        yield Client(url, verbose=False)
        demo.close()
        backend.close()


@pytest.fixture
def pdf(tmp_path: Path) -> Path:
    import pymupdf

    path = tmp_path / "bridges.pdf"
    with pymupdf.open() as document:
        for text in ("Bridges of the west coast.", "The Golden Gate bridge opened in 1937.", "Ferries sail at noon."):
            document.new_page().insert_text((72, 72), text)
        document.save(path)
    return path


def ask(client: Client, pdf: Any, **more: Any) -> Any:
    own: dict[str, Any] = {"question": "When did the Golden Gate bridge open?", "answers": None, "settings": None}
    own |= {"password": ""} | more
    return client.predict(handle_file(pdf) if pdf else None, *own.values(), api_name="/read_pdf")


def test_a_pdf_is_read_and_the_record_comes_back(client: Client, pdf: Path) -> None:
    record = ask(client, pdf, answers=["1937"], settings={"top_k": 2, "duquad": False})
    assert record["source"]["name"] == "bridges.pdf" and record["source"]["pages"] == 3
    assert record["settings"]["pdf"]["top_k"] == 2 and len(record["documents"]) == 2
    best = next(page for page in record["pages"] if page["rank"] == 0)
    assert best["page"] == 1 and best["label"] in ("CR", "R")
    assert any(clue["page"] == 1 and clue["boxes"] for clue in record["clues"])
    assert record["question"]["answers"] == ["1937"] and record["final"]["answer"]


def test_what_is_wrong_is_said(client: Client, pdf: Path, tmp_path: Path) -> None:
    text = tmp_path / "notes.pdf"
    text.write_text("no PDF at all")
    for given, more, said in (
        (text, {}, "PDF"),
        (pdf, {"question": " "}, "no question"),
        (pdf, {"settings": {"top_k": 99}}, "settings.top_k"),
        (pdf, {"settings": {"depth": 1}}, "settings.depth"),
        (pdf, {"answers": "1937"}, "answers: a list"),
        (None, {}, "a file is needed"),
    ):
        with pytest.raises(AppError, match=said):
            ask(client, given, **more)


def test_files_of_the_server_cannot_be_named(client: Client) -> None:
    body = {"path": "/etc/passwd", "meta": {"_type": "gradio.FileData"}}
    for payload in ("/etc/passwd", {"path": "/etc/passwd"}, body):
        with pytest.raises((AppError, ValueError, gr.Error)):
            client.predict(payload, "When?", None, None, "", api_name="/read_pdf")


def test_the_function_is_documented_as_a_tool(client: Client) -> None:
    info = client.view_api(return_format="dict", print_info=False)["named_endpoints"]["/read_pdf"]
    names = [parameter["parameter_name"] for parameter in info["parameters"]]
    assert names == ["pdf", "question", "answers", "settings", "password"]
    assert "which pages were read" in info["description"]
