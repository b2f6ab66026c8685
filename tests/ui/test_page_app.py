"""``app.py`` as it is started: the address, a taken port, what is public, and the API."""

from __future__ import annotations

import os
import re
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from gradio_client import Client
from gradio_client.exceptions import AppError

from core.records import RunRecord
from tests.browser.conftest import ROOT, free_port, wait_until_up
from ui.about import API_PAGE
from ui.shell import PLOTLY


def start(tmp_path: Path, port: int, **env: str) -> subprocess.Popen[str]:
    """Starts the app over the fake back end."""
    settings = {"W_LENS_BACKEND": "fake", "PORT": str(port), "W_LENS_RUNS": str(tmp_path / "runs")}
    return subprocess.Popen(
        [sys.executable, "app.py"],
        cwd=ROOT,
        env={**os.environ, **settings, **env},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    """A client of a running app."""
    port = free_port()
    app = start(tmp_path_factory.mktemp("app"), port)
    said: list[str] = []
    threading.Thread(target=lambda: said.extend(app.stdout or ()), daemon=True).start()
    try:
        wait_until_up(f"http://127.0.0.1:{port}", app)  # type: ignore[arg-type]
        yield Client(f"http://127.0.0.1:{port}", verbose=False)
        assert any(f"W-Lens: http://127.0.0.1:{port}" in line for line in said)
    finally:
        app.terminate()
        app.wait(10)


def test_a_taken_port_is_named_with_what_to_do(tmp_path: Path) -> None:
    with socket.socket() as holder:
        holder.bind(("127.0.0.1", 0))
        holder.listen()
        port = holder.getsockname()[1]
        app = start(tmp_path, port)
        said, _ = app.communicate(timeout=60)
    assert app.returncode == 1
    assert f"port {port}" in said
    assert "PORT=" in said
    assert "Traceback" not in said


def test_a_setting_that_makes_no_sense_is_named(tmp_path: Path) -> None:
    app = start(tmp_path, free_port(), W_LENS_PROFILE="huge")
    said, _ = app.communicate(timeout=60)
    assert app.returncode == 2
    assert "W_LENS_PROFILE is 'huge'" in said
    assert "Traceback" not in said


PUBLIC = {"/ask", "/read_pdf", "/evaluate", "/get_run", "/cancel"}


def test_only_these_are_public(client: Client) -> None:
    api = client.view_api(return_format="dict")
    assert set(api["named_endpoints"]) == PUBLIC
    assert api["unnamed_endpoints"] == {}


def test_ask_returns_a_record(client: Client) -> None:
    documents = [
        {"title": "Rivers", "text": "The Potaro plunges over Kaieteur Falls.", "gold": True},
        {"text": "Lakes are still."},
    ]
    found = client.predict("Which river plunges?", documents, ["Potaro"], {"k": 1}, api_name="/ask")
    record = RunRecord.model_validate(found)
    assert record.final
    assert record.settings.k == 1
    assert record.question.gold == (0,)
    assert record.documents[1].title == ""


def test_ask_takes_any_system_over_documents(client: Client) -> None:
    documents = [{"text": "Lakes are still."}, {"text": "The Potaro plunges over Kaieteur Falls."}]
    found = client.predict("Which river plunges?", documents, None, None, "bm25", api_name="/ask")
    record = RunRecord.model_validate(found)
    assert record.system == "bm25" and record.shown == (1, 0)
    for wrong in ("sweep", "compare", "<b>"):
        with pytest.raises(AppError, match=r"system: there is none.*main_rag"):
            client.predict("q", documents, None, None, wrong, api_name="/ask")


@pytest.mark.parametrize(
    ("question", "documents", "settings", "said"),
    [
        ("", [{"text": "x"}], None, "no question"),
        ("q", [], None, "no documents"),
        ("q", [{"text": "x"}, {"title": "x"}], None, r"documents\.1\.text"),
        ("q", [{"text": "x", "page": 3}], None, r"documents\.0\.page"),
        ("q", [{"text": "x"}, "x"], None, r"documents\.1: "),
        ("q", [{"text": "x"}], {"k": 0}, r"settings\.k"),
        ("q", [{"text": "x"}], {"kk": 1}, r"settings\.kk"),
        ("q", [{"text": "x"}], {"layers": [99]}, "layer 99 does not exist"),
        ("q", "text", None, "documents"),
    ],
)
def test_a_bad_request_says_why(client: Client, question: str, documents: object, settings: object, said: str) -> None:
    with pytest.raises(AppError, match=said):
        client.predict(question, documents, None, settings, api_name="/ask")


def test_the_page_of_examples_works_as_typed(client: Client, capsys: pytest.CaptureFixture[str]) -> None:
    text = API_PAGE.read_text(encoding="utf-8").replace("http://127.0.0.1:7860", client.src)
    blocks = re.findall(r"^```python\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    exec("\n".join(blocks), {})  # our own page, as a reader would type it
    said = capsys.readouterr().out.splitlines()
    assert "Sil The Sil" in said
    assert said[-2:] == ["done The Sil", "done"]
    named = set(re.findall(r'api_name="(/\w+)"', text))
    assert named == PUBLIC


def test_an_unknown_run_is_said(client: Client) -> None:
    for function in ("/get_run", "/cancel"):
        for run_id in ("nothing", "../../etc/passwd", ""):
            with pytest.raises(AppError, match="No run has this address"):
                client.predict(run_id, api_name=function)


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("gradio_api/file=http://127.0.0.1:{port}/x", 403),
        ("gradio_api/proxy=http://127.0.0.1:{port}/x", 400),
        ("gradio_api/file=/etc/hostname", 403),
        ("gradio_api/file=ui/shell.py", 403),
        ("vendor/%2e%2e/shell.py", 404),
        ("vendor/" + PLOTLY, 200),
    ],
)
def test_no_file_and_no_other_host_is_fetched_for_a_visitor(client: Client, path: str, status: int) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        other.settimeout(0.2)
        answer = httpx.get(client.src + path.format(port=other.getsockname()[1]))
        assert answer.status_code == status
        with pytest.raises(TimeoutError):
            other.accept()
