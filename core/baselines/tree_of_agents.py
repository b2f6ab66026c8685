"""Tree of Agents: readers of single chunks exchange what they found, walk each other's chunks, and vote.

Source: arXiv 2509.06436 and its code (commit 4d85bea), built for one long text. (1) Perceive: each reader gives
evidence and an answer from its own chunk; (2) exchange: each sees all notes and names the readers whose chunks would
help; (3) walk: each reads those chunks one after another, in every order; a prefix that several orders share is read
once and entered again with its state, a useless one prunes all orders that begin with it; (4) each votes from its
longest states; (5) the majority wins, and one more call decides a tie. 3n calls, one per prefix walked, one on a tie.

Our choices: chunks are whole documents (20 documents make 5 of 4); answers are free and votes are compared after
SQuAD's normalisation; a reader may ask for two others (see ``BaselineSettings.helpers``); replies follow a schema, so
none has to be asked for twice; ids are numbers, never read digit by digit; the tie is the backbone's to decide. Not
copied from the released code: a cached prefix that is skipped instead of entered, states that leak between paths.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from core.baselines import tree_prompts as prompts
from core.baselines.reading import completed, finished
from core.duquad.pipeline import start
from core.models.calls import CallLog
from core.models.profile import Models
from core.models.protocol import Reply, Stop, Task
from core.models.reply import read_object
from core.records import ChunkReader, Final, Request, RunRecord, Step, Walked
from core.settings.profiles import PROFILES
from core.text import normalize_answer

Path = tuple[int, ...]
Meet = Callable[[list[tuple[Path, Walked]]], list[Walked]]
"""For each (path, state before its last chunk): what the reader says after that chunk."""


def run(request: Request, models: Models, run_id: str, stop: Stop) -> Iterator[Step]:
    """Runs one request. Raises ModelError, Cancelled."""
    record, log = start(request, request.settings, models, run_id), CallLog()
    tree = _Tree(record, models, log, stop)
    yield Step(stage="perceive", fraction=0.0, message=f"{len(tree.chunks)} readers read a chunk each")
    tree.perceive()
    yield Step(stage="exchange", fraction=0.2, message="The readers exchange what they found", record=tree.record())
    tree.exchange()
    yield Step(stage="walk", fraction=0.3, message="The readers walk each other's chunks", record=tree.record())
    tree.walk()
    yield Step(stage="vote", fraction=0.9, message="The readers vote", record=tree.record())
    yield tree.vote()


def chunks(documents: int, readers: int) -> list[tuple[int, ...]]:
    """Neighbouring documents in at most ``readers`` chunks of nearly equal number, none empty."""
    parts = np.array_split(np.arange(documents), min(readers, documents))
    return [tuple(int(i) for i in part) for part in parts]


def grow(roots: Sequence[Walked], asked: Sequence[Sequence[int]], meet: Meet) -> list[list[Walked]]:
    """All useful and useless states of each reader's walk, in the order in which they were met.

    Every path starts at the reader's own chunk and takes the asked ones in any order. All paths of one length are met
    together; each starts from the state of the path that it continues, so a shared prefix is met once. A useless
    state is not continued.
    """
    states: list[list[Walked]] = [[] for _ in roots]
    edge = list(enumerate(roots))
    while edge:
        steps = [
            (reader, (*state.path, chunk), state)
            for reader, state in edge
            for chunk in asked[reader]
            if chunk not in state.path
        ]
        met = meet([(path, state) for _, path, state in steps]) if steps else []
        for (reader, _, _), state in zip(steps, met, strict=True):
            states[reader].append(state)
        edge = [(reader, state) for (reader, _, _), state in zip(steps, met, strict=True) if state.useful]
    return states


def deepest(root: Walked, states: Sequence[Walked]) -> list[Walked]:
    """The useful states of the longest paths; the root where nothing was useful."""
    useful = [root, *(state for state in states if state.useful)]
    longest = max(len(state.path) for state in useful)
    return [state for state in useful if len(state.path) == longest]


def majority(votes: Sequence[str]) -> list[str]:
    """The answers with most votes, as first written; one is a winner, several are a tie, none is silence."""
    first: dict[str, str] = {}
    for vote in votes:
        if normalize_answer(vote):
            first.setdefault(normalize_answer(vote), vote)
    counts = Counter(normalize_answer(vote) for vote in votes if normalize_answer(vote))
    most = max(counts.values(), default=0)
    return [first[key] for key in first if counts[key] == most]


@dataclass
class _Tree:
    """One run: the readers as they are, and what asks the model."""

    base: RunRecord
    models: Models
    log: CallLog
    stop: Stop

    def __post_init__(self) -> None:
        """Cuts the documents into chunks; no reader has read yet."""
        self.chunks = chunks(len(self.base.documents), self.base.settings.baselines.readers)
        self.readers: list[ChunkReader] = []

    def record(self) -> RunRecord:
        """The record so far."""
        shown = tuple(range(len(self.base.documents)))
        found = {"readers": tuple(self.readers), "shown": shown, "calls": tuple(self.log.calls)}
        return self.base.model_copy(update=found)

    def perceive(self) -> None:
        """Evidence and an answer from each chunk."""
        tasks = [prompts.perceive(self.base, chunk) for chunk in self.chunks]
        for chunk, reply in zip(self.chunks, self._ask("perceive", tasks), strict=True):
            evidence, answer, _ = read_note(reply)
            self.readers.append(ChunkReader(documents=chunk, evidence=evidence, answer=answer, asked=()))

    def exchange(self) -> None:
        """Whose chunks each reader wants; a single reader has no one to ask."""
        most = min(self.base.settings.baselines.helpers, len(self.readers) - 1)
        if most < 1:
            return
        every = range(len(self.readers))
        replies = self._ask("exchange", [prompts.exchange(self.base, self.readers, i, most) for i in every])
        for i, reply in enumerate(replies):
            asked = read_readers(reply, i, len(self.readers), most)
            self.readers[i] = self.readers[i].model_copy(update={"asked": asked})

    def walk(self) -> None:
        """The walks of all readers, those of one length together."""
        states = grow([self._root(i) for i in range(len(self.readers))], [r.asked for r in self.readers], self._meet)
        for i, walked in enumerate(states):
            self.readers[i] = self.readers[i].model_copy(update={"walked": tuple(walked)})

    def vote(self) -> Step:
        """Each reader's answer, then the majority's."""
        ends = [deepest(self._root(i), reader.walked) for i, reader in enumerate(self.readers)]
        for i, reply in enumerate(self._ask("decide", [prompts.decide(self.base, states) for states in ends])):
            self.readers[i] = self.readers[i].model_copy(update={"vote": read_vote(reply)})
        tied = majority([reader.vote for reader in self.readers])
        if len(tied) > 1:
            opener = PROFILES[self.models.profile].answer_opener
            (reply,) = self._ask("tie", [prompts.tie(self.base, tied, opener)])
            return finished(self.record(), self.log, reply)
        final = Final(answer=tied[0] if tied else "", no_answer=not tied)
        return Step(stage="done", fraction=1.0, record=self.record().model_copy(update={"final": final}))

    def _root(self, reader: int) -> Walked:
        own = self.readers[reader]
        return Walked(path=(reader,), useful=True, evidence=own.evidence, answer=own.answer)

    def _meet(self, steps: list[tuple[Path, Walked]]) -> list[Walked]:
        tasks = [prompts.walk(self.base, self.chunks[path[-1]], state) for path, state in steps]
        met = []
        for (path, state), reply in zip(steps, self._ask("walk", tasks), strict=True):
            evidence, answer, useful = read_note(reply)
            met.append(
                Walked(path=path, useful=useful, evidence=evidence or state.evidence, answer=answer or state.answer)
            )
        return met

    def _ask(self, stage: str, tasks: Sequence[Task]) -> list[Reply]:
        return completed(stage, self.models, tasks, self.log, self.stop)


def read_note(reply: Reply) -> tuple[str, str, bool]:
    """Evidence, answer, and whether the chunk was useful; what cannot be read is empty and useless."""
    data = read_object(reply.text)[0] or {}
    return _line(data.get("evidence")), _line(data.get("answer")), data.get("useful") is True


def read_readers(reply: Reply, own: int, count: int, most: int) -> tuple[int, ...]:
    """0-based readers that a reply names from 1: others only, each once, at most ``most``."""
    named = (read_object(reply.text)[0] or {}).get("readers")
    known: list[int] = []
    for number in named if isinstance(named, list) else ():
        if isinstance(number, int) and 1 <= number <= count and number - 1 != own and number - 1 not in known:
            known.append(number - 1)
    return tuple(known[:most])


def read_vote(reply: Reply) -> str:
    """An answer; empty for none."""
    said = _line((read_object(reply.text)[0] or {}).get("answer"))
    return "" if normalize_answer(said) in prompts.SILENT else said


def _line(value: object) -> str:
    return " ".join(value.split()) if isinstance(value, str) else ""
