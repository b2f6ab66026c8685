"""What every record is made of: the base class, questions, documents, calls, and how an exported file is opened."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError


class RecordError(ValueError):
    """A file is not a run record that this version can open. The message is for the person."""


class Record(BaseModel):
    """Base of all records: frozen, no unknown fields."""

    model_config = ConfigDict(frozen=True, extra="forbid", ser_json_inf_nan="constants")


class Document(Record):
    """One unit of evidence: a passage of a question set, or a page of a PDF."""

    id: str
    """Name of the document in its source; shown, never used as a key."""
    title: str
    text: str
    gold: bool | None = None
    """Whether it holds the evidence, where that is known."""
    page: int | None = None
    """0-based index of the page that this is; None for a passage."""


class Question(Record):
    """What is asked, and what is known about its answer."""

    text: str
    answers: tuple[str, ...] = ()
    """Accepted answers, where known."""
    gold: tuple[int, ...] = ()
    """Indexes of the gold documents, ascending."""
    gold_pages: tuple[int, ...] = ()
    """0-based indexes of the pages that hold the evidence, where that is known."""


class Call(Record):
    """One use of a model."""

    stage: str
    model: str
    kind: Literal["generate", "score", "embed"]
    """A reply was generated, likelihoods or attention were read, or texts were embedded."""
    sequences: int = 1
    """Sequences that went through together."""
    prompt_tokens: int
    """Tokens read, all sequences together; shared prefixes count once."""
    new_tokens: int
    seconds: float
    """Wall time; where stages share a step, the step's time is on the first of them."""
    shared_seconds: float | None = None
    """How much of ``seconds`` another system of the same comparison had spent already: counted, not spent again."""


Opened = TypeVar("Opened", bound=Record)


def opened(text: str | bytes, kinds: Sequence[type[Opened]]) -> Opened:
    """An exported record of whichever of the kinds its schema names.

    Raises:
        RecordError: not JSON, another schema, or a field that does not fit; the message says which.
    """
    known = {str(kind.model_fields["schema_"].default): kind for kind in kinds}
    data = _json(text)
    found = data.get("schema") if isinstance(data, dict) else None
    if not isinstance(found, str):
        raise RecordError("This JSON file is not a W-Lens run record: it has no 'schema' field.")
    if found not in known:
        raise RecordError(
            f"This record has the schema {found[:40]!r}; this version of W-Lens opens {_listed(known)} here. "
            "A newer W-Lens may have written it: update, then open it again."
        )
    try:
        return known[found].model_validate(data)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"]) or "the record"
        raise RecordError(f"This run record does not hold together at {place}: {first['msg']}.") from None


def _json(text: str | bytes) -> Any:
    try:
        written = text if isinstance(text, str) else text.decode(json.detect_encoding(text))
        data = json.loads(written)
        if "\\ud" in written.lower():  # may name half a surrogate pair, which no file and no page can hold
            data = json.loads(json.dumps(data, ensure_ascii=False).encode(errors="replace"))
    except (ValueError, RecursionError) as error:
        raise RecordError(f"This is not a JSON file: {str(error)[:200]}") from None
    return data


def _listed(known: Iterable[str]) -> str:
    return " and ".join(repr(name) for name in known)
