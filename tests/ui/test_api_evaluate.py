"""The public function about question sets, as a caller meets it."""

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
from tests.core.evaluation.small_sets import litm_file
from ui.api_evaluate import publish_evaluate
from ui.samples import Samples
from ui.state import Library


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    root = tmp_path_factory.mktemp("evaluate")
    store = RunStore(root / "runs")
    backend = FakeBackend(store, delay=0)
    library = Library(Samples(root), backend, store, AppSettings().cache)
    with gr.Blocks() as demo:
        publish_evaluate(library.sets)
    _, url, _ = demo.launch(prevent_thread_lock=True, quiet=True, max_file_size=2**24)
    yield Client(url, verbose=False)
    demo.close()
    library.sets.service.close()
    backend.close()


QUESTIONS: list[dict[str, Any]] = [
    {
        "question": f"Where lived the painter Ada{place}?",
        "documents": [{"text": "Nothing of note."}, {"text": f"The painter Ada{place} lived in Town.", "gold": True}],
        "answers": ["Town"],
    }
    for place in range(2)
]


def evaluate(client: Client, **more: Any) -> Any:
    own: dict[str, Any] = {"questions": None, "file": None, "pdfs": None, "systems": ["vanilla"], "limit": None}
    own |= {"wait": True, "set_id": ""} | more
    return client.predict(*own.values(), api_name="/evaluate")


def test_questions_are_asked_and_the_metrics_come_back(client: Client) -> None:
    found = evaluate(client, questions=QUESTIONS, systems=["duquad", "vanilla"])
    assert (found["state"], found["done"], found["total"], found["errors"]) == ("finished", 4, 4, 0)
    marks = {row["system"]: row for row in found["metrics"] if row["metric"] == "right"}
    assert set(marks) == {"duquad", "vanilla"}
    assert marks["vanilla"]["questions"] == 2 and marks["vanilla"]["mean"] == 1.0


def test_a_file_is_run_and_found_again_by_its_id(client: Client, tmp_path: Path) -> None:
    found = evaluate(client, file=handle_file(litm_file(tmp_path, 4)), limit=3, wait=False)
    assert found["total"] == 3
    again = evaluate(client, set_id=found["set_id"])
    assert (again["set_id"], again["state"], again["done"]) == (found["set_id"], "finished", 3)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({}, "give one of the two"),
        ({"questions": "x"}, "a list of objects"),
        ({"questions": [{"question": "q"}]}, r"questions\.0\.documents"),
        ({"questions": [*QUESTIONS, {"question": "", "documents": [{"text": "x"}]}]}, r"questions\.2\.question"),
        ({"questions": QUESTIONS, "systems": ["<b>"]}, "<b>"),
        ({"questions": QUESTIONS, "systems": "duquad"}, "a list of names"),
        ({"questions": QUESTIONS, "limit": 0}, "a number from 1"),
        ({"questions": QUESTIONS, "limit": 1.5}, "a number from 1"),
        ({"set_id": "../x"}, "No set has this address"),
    ],
)
def test_what_makes_no_sense_is_said(client: Client, given: dict[str, Any], said: str) -> None:
    with pytest.raises(AppError, match=said):
        evaluate(client, **given)


def test_both_a_file_and_questions_are_too_many(client: Client, tmp_path: Path) -> None:
    with pytest.raises(AppError, match="give one of the two"):
        evaluate(client, questions=QUESTIONS, file=handle_file(litm_file(tmp_path, 1)))


def test_a_path_of_the_server_is_no_file(client: Client) -> None:
    with pytest.raises(AppError):
        evaluate(client, file={"path": "/etc/passwd", "meta": {"_type": "gradio.FileData"}})
