"""The question set that ships: recorded runs are taken over, the rest is asked, and a second call asks nothing."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from core.commands.set_samples import record
from core.evaluation.store import SetStore
from core.ingest.examples import Example
from core.models.scripted import scripted_models
from core.records import Document, Question, Request
from core.systems import SYSTEMS

PEOPLE = ("Ada", "Bo")


def example(person: str) -> Example:
    texts = ("Nothing of note.", f"The painter {person} lived in Town{person} by the sea.")
    documents = tuple(Document(id=str(i), title=f"N{i}", text=text, gold=i == 1) for i, text in enumerate(texts))
    asked = Question(text=f"Where lived the painter {person}?", answers=(f"Town{person}",), gold=(1,))
    return Example(person.lower(), "h", "t", asked, documents)


def recorded(assets: Path, one: Example, answer: str, profile: str = "embedded") -> None:
    """A recorded run of an example with an answer that no scripted model gives."""
    request = Request(system="duquad", question=one.question, documents=one.documents)
    *_, last = SYSTEMS["duquad"].load()(request, scripted_models(), "sample", lambda: None)
    assert last.record is not None
    data = json.loads(last.record.to_json())
    data["final"]["answer"] = answer
    data["models"]["profile"] = profile
    (assets / "runs").mkdir(exist_ok=True)
    (assets / "runs" / f"{one.slug}.json").write_text(json.dumps(data))


def answers(assets: Path) -> dict[tuple[str, str], str]:
    return {(row.id, row.system): row.answer for row in SetStore(assets / "sets" / "examples").rows()}


def test_recorded_runs_are_taken_over_and_the_rest_is_asked(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    examples = [example(person) for person in PEOPLE]
    recorded(tmp_path, examples[0], "as recorded")
    record(tmp_path, scripted_models(), "embedded", examples)
    found = answers(tmp_path)
    assert list(found) == [(name, system) for name in ("ada", "bo") for system in ("duquad", "vanilla")]
    assert found["ada", "duquad"] == "as recorded" and "TownBo" in found["bo", "duquad"]
    assert "wrong  ada by duquad: as recorded" in capsys.readouterr().out
    record(tmp_path, None, "embedded", examples)
    assert answers(tmp_path) == found


def test_a_run_of_another_profile_or_other_documents_is_not_taken_over(tmp_path: Path) -> None:
    first, second = (example(person) for person in PEOPLE)
    recorded(tmp_path, first, "as recorded", "paper")
    recorded(tmp_path, second, "as recorded")
    second.documents[1].__dict__["text"] += " It rained."
    record(tmp_path, scripted_models(), "embedded", [first, second], ("duquad",))
    assert "as recorded" not in answers(tmp_path).values()


def test_systems_are_added_later(tmp_path: Path) -> None:
    one = example("Ada")
    recorded(tmp_path, one, "as recorded")
    record(tmp_path, None, "embedded", [one], ("duquad",))
    assert list(answers(tmp_path)) == [("ada", "duquad")]
    record(tmp_path, scripted_models(), "embedded", [one])
    assert list(answers(tmp_path)) == [("ada", "duquad"), ("ada", "vanilla")]
