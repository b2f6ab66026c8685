from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.records import (
    AgentReply,
    Agents,
    Call,
    Document,
    Event,
    Final,
    PoolEntry,
    Question,
    RecordError,
    RunRecord,
    Signals,
    Snippet,
)
from core.settings.methods import RunSettings


def full() -> RunRecord:
    """A record with every field of DuQUAD."""
    reply = AgentReply(answer="a", reasoning="r", important_documents=(1,), documents_shown=(1, 0), raw="{}")
    return RunRecord(
        run_id="id",
        created="2026-01-01T00:00:00+00:00",
        system="duquad",
        question=Question(text="q", answers=("a",), gold=(1,)),
        documents=(Document(id="x", title="t", text="one"), Document(id="y", title="", text="two", gold=True)),
        settings=RunSettings(),
        models={"profile": "embedded"},
        signals=Signals(
            attention=(((0.1, 0.2),),),
            contrast=(0.0, 1.0),
            semantic=(0.5, 0.6),
            query_nll=(3.0, 2.0),
            query_nll_empty=4,
        ),
        ranking=(),
        agents=Agents(local=reply, global_=reply),
        pool=(
            PoolEntry(
                document=1,
                selected_by=("local", "global"),
                score=0.5,
                answer="a",
                kept=True,
                snippets=(Snippet(text="two", start=0, end=3),),
                kind="likelihood",
            ),
        ),
        final=Final(answer="a"),
        calls=(Call(stage="judge", model="m", kind="generate", prompt_tokens=1, new_tokens=1, seconds=0.1),),
        warnings=("w",),
    )


def test_a_record_survives_export_and_import() -> None:
    assert RunRecord.from_json(full().to_json()) == full()


def test_the_exported_names_are_the_documented_ones() -> None:
    exported = json.loads(full().to_json())
    assert exported["schema"] == "w-lens/1"
    assert set(exported["agents"]) == {"local", "global"}
    assert set(exported) == {
        *("schema", "run_id", "created", "system", "question", "documents", "settings", "models", "signals"),
        *("ranking", "agents", "pool", "final", "calls", "warnings"),
    }


def test_what_a_system_does_not_have_is_absent() -> None:
    plain = full().model_copy(update={"signals": None, "ranking": None, "agents": None, "pool": None})
    exported = json.loads(plain.to_json())
    assert not {"signals", "ranking", "agents", "pool"} & set(exported)
    assert "null" not in plain.to_json()
    assert RunRecord.from_json(plain.to_json()) == plain


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "not a JSON file"),
        ("[" * 100_000, "not a JSON file"),
        (b"\xff\xfe\x00", "not a JSON file"),
        ("[]", "no 'schema' field"),
        ("{}", "no 'schema' field"),
        ('{"schema": 1}', "no 'schema' field"),
        ('{"schema": "w-lens/2"}', "update"),
        ('{"schema": "w-lens/1"}', "run_id"),
    ],
)
def test_other_files_are_refused_with_the_reason(text: str | bytes, said: str) -> None:
    with pytest.raises(RecordError, match=said):
        RunRecord.from_json(text)


def test_a_record_of_a_future_schema_says_update() -> None:
    data = json.loads(full().to_json()) | {"schema": "w-lens/2", "new_field": 1}
    with pytest.raises(RecordError, match=r"'w-lens/2'.*'w-lens/1'.*update"):
        RunRecord.from_json(json.dumps(data))


def _changed(path: tuple[str | int, ...], value: Any) -> str:
    data = json.loads(full().to_json())
    place = data
    for part in path[:-1]:
        place = place[part]
    place[path[-1]] = value
    return json.dumps(data)


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("question", "gold"), [2]),
        (("question", "gold"), [-1]),
        (("pool", 0, "document"), 7),
        (("agents", "local", "important_documents"), [9]),
        (("agents", "global", "documents_shown"), [9]),
        (("ranking",), [{"document": 2, "score": 1, "parts": {"semantic": 0, "inference": 0, "contrast": 0}}]),
        (("ranking",), [{"document": 0, "score": 1, "parts": {"semantic": 0, "inference": 0, "contrast": 0}}] * 2),
        (("ranking",), [{"document": 1, "score": 1, "parts": {"semantic": 0, "inference": 0, "contrast": 0}}]),
        (("signals", "semantic"), [0.5]),
        (("signals", "attention"), [[[0.1]]]),
        (("signals", "contrast"), []),
        (("settings", "k"), 0),
        (("settings", "tau"), 2),
        (("unknown",), 1),
    ],
)
def test_a_record_that_does_not_hold_together_is_refused(path: tuple[str | int, ...], value: Any) -> None:
    with pytest.raises(RecordError, match="does not hold together"):
        RunRecord.from_json(_changed(path, value))


def test_a_pool_names_no_document_twice() -> None:
    with pytest.raises(RecordError, match="twice"):
        RunRecord.from_json(_changed(("pool",), json.loads(full().to_json())["pool"] * 2))


@pytest.mark.parametrize("escape", ["\\ud800", "\\uDFFF"])
def test_half_a_surrogate_pair_is_replaced_so_that_the_record_can_be_exported(escape: str) -> None:
    text = _changed(("final", "answer"), "x_y 😀").replace("x_y", f"x{escape}y")
    for content in (text, text.encode(), text.encode("utf-16")):
        record = RunRecord.from_json(content)
        assert record.final and record.final.answer == "x?y 😀"
        assert RunRecord.from_json(record.to_json()) == record
    with pytest.raises(RecordError, match="not a JSON file"):
        RunRecord.from_json(_changed(("final", "answer"), "x_y").encode().replace(b"_", b"\xed\xa0\x80"))


@given(st.binary(max_size=200) | st.text(max_size=200))
def test_foreign_content_raises_nothing_else(content: str | bytes) -> None:
    with pytest.raises(RecordError):
        RunRecord.from_json(content)


def test_three_kinds_of_event_end_a_run() -> None:
    assert [Event(kind=kind).final for kind in ("queued", "stage", "record", "done", "error", "cancelled")] == [
        *(False, False, False),
        *(True, True, True),
    ]
