"""Two visitors at one app, over plain HTTP: what one may see and do of the other's, and what the server gives away."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from core.runs import RunStore
from tests.browser.conftest import ROOT, free_port, wait_until_up
from tests.ui.test_page_app import start
from ui.visitor import COOKIE, hashed

ALICE, BOB = "a" * 32, "b" * 32
DOCUMENTS = [{"text": "The Sil is the longest river in Oran."}, {"text": "Oran has a port."}]
QUESTION = {"question": "Which river is the longest?", "documents": DOCUMENTS}


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("visitors")


@pytest.fixture(scope="module")
def url(runs: Path) -> Iterator[str]:
    port = free_port()
    app = start(runs, port)
    threading.Thread(target=lambda: list(app.stdout or ()), daemon=True).start()
    try:
        wait_until_up(f"http://127.0.0.1:{port}", app)  # type: ignore[arg-type]
        yield f"http://127.0.0.1:{port}"
    finally:
        app.terminate()
        app.wait(10)


def visitor(url: str, secret: str) -> httpx.Client:
    return httpx.Client(base_url=url, cookies={COOKIE: secret}, timeout=30)


def call(client: httpx.Client, name: str, arguments: dict[str, object]) -> tuple[str, str]:
    event = client.post(f"/gradio_api/call/v2/{name}", json=arguments).json()["event_id"]
    kind = ""
    with client.stream("GET", f"/gradio_api/call/{name}/{event}") as answer:
        for line in answer.iter_lines():
            if line.startswith("event: "):
                kind = line[7:]
            elif line.startswith("data: ") and kind in ("complete", "error"):
                return kind, line[6:]
    raise AssertionError("no answer")


def test_a_run_belongs_to_whoever_asked_and_its_link_shows_it(url: str, runs: Path) -> None:
    alice, bob = visitor(url, ALICE), visitor(url, BOB)
    kind, text = call(alice, "ask", QUESTION)
    assert kind == "complete"
    run_id = json.loads(text)[0]["run_id"]
    store = RunStore(runs / "runs")
    summary = store.summary(run_id)
    assert summary and summary.visitor == hashed(ALICE) and ALICE not in summary.model_dump_json()
    assert [line.summary.run_id for line in store.recent(hashed(BOB))] == []
    assert call(bob, "get_run", {"run_id": run_id})[0] == "complete"  # the link was shared
    kind, text = call(bob, "cancel", {"run_id": run_id})
    assert kind == "error" and "somebody else" in text
    assert call(alice, "cancel", {"run_id": run_id})[0] == "complete"


def test_ids_cannot_be_guessed(url: str) -> None:
    client = visitor(url, ALICE)
    ids = [json.loads(call(client, "ask", QUESTION)[1])[0]["run_id"] for _ in range(3)]
    assert len(set(ids)) == 3 and all(len(run_id) >= 22 for run_id in ids)  # 128 bits
    assert len({run_id[:4] for run_id in ids}) == 3


@pytest.mark.parametrize(
    "path",
    [
        "/gradio_api/file={runs}/runs",
        "/gradio_api/file={runs}/runs/{run}/result.json",
        "/gradio_api/file={root}/core/settings/limits.py",
        "/gradio_api/file=core/settings/limits.py",
        "/gradio_api/file=../../etc/passwd",
        "/gradio_api/file=/etc/passwd",
        "/gradio_api/file=http://127.0.0.1:1/",
        "/file={root}/app.py",
        "/gradio_api/run-history/list",
        "/gradio_api/runs",
        "/monitoring",
        "/monitoring/summary",
    ],
)
def test_the_server_gives_nothing_away(url: str, runs: Path, path: str) -> None:
    client = visitor(url, BOB)
    run = next((runs / "runs").iterdir()).name
    answer = client.get(path.format(runs=runs, root=ROOT, run=run))
    assert answer.status_code in (401, 403, 404, 405, 422), answer.text[:200]
    assert "root:" not in answer.text and "class RunSettings" not in answer.text


def test_an_upload_is_never_served_as_a_page(url: str) -> None:
    client = visitor(url, ALICE)
    evil = b"<script>window.pwned=1</script>"
    stored = client.post("/gradio_api/upload", files={"files": ("../../evil.html", evil, "text/html")})
    assert stored.status_code == 200
    (path,) = stored.json()
    assert ".." not in path
    served = client.get(f"/gradio_api/file={path}")
    if served.status_code == 200:
        assert "attachment" in served.headers["content-disposition"]
        assert "html" not in served.headers["content-type"]


def test_a_secret_that_is_none_is_nobody(url: str) -> None:
    for secret in ("", "x", "a" * 31, "A" * 32, "../" * 10):
        assert hashed(secret) == ""
    client = visitor(url, "../../x")
    kind, text = call(client, "ask", QUESTION)
    assert kind == "complete"
    assert call(client, "cancel", {"run_id": json.loads(text)[0]["run_id"]})[0] == "complete"
