"""DuQUAD end to end: signals → fusion → two agents → pruning → Judge, as a generator of steps."""

from __future__ import annotations

import datetime
from collections.abc import Iterator, Sequence

from core.duquad import docscore
from core.duquad.agents import read_reply, reply_schema
from core.duquad.fusion import rank
from core.duquad.prompts import agent_prompt, judge_prompt
from core.duquad.pruning import candidates, gate, snippets
from core.duquad.signals import assemble, query_likelihoods, read_all, semantic_relevance
from core.models.calls import CallLog
from core.models.profile import Models
from core.models.protocol import Reading, Stop, Task
from core.records import Agents, Final, PoolEntry, Request, RunRecord, Step
from core.settings.methods import MAX_IMPORTANT, RunSettings
from core.settings.profiles import PROFILES, Profile


def run(request: Request, models: Models, run_id: str, stop: Stop) -> Iterator[Step]:
    """Runs one request. Each step names the stage that begins; a step with a record shows how far it has come.

    One prefill of all documents serves the attention profile and the Global Agent, and the two agents'
    replies are decoded together.

    Raises:
        ModelError: a model cannot do its part (PromptTooLong: too many documents).
        Cancelled: ``stop`` said so.
    """
    question, documents = request.question.text, request.documents
    profile = PROFILES[models.profile]
    settings = resolved(request.settings, profile)
    log = CallLog()
    record = start(request, settings, models, run_id)

    yield Step(stage="attention", fraction=0.0, message=f"Reading {len(documents)} documents in one prompt")
    everything = range(len(documents))
    global_prompt = agent_prompt(question, documents, everything, settings)
    reading = read_all(models, global_prompt, settings.agent_tokens, log, stop)
    yield Step(stage="likelihood", fraction=0.3, message="How likely each document makes the question")
    nll, nll_empty = query_likelihoods(models, question, documents, log, stop)
    yield Step(stage="semantic", fraction=0.5, message="How close each document is in meaning")
    semantic = semantic_relevance(models, question, documents, log, stop)
    signals = assemble(reading, nll, nll_empty, semantic, settings)
    record = _grow(record, log, signals=signals, ranking=rank(signals, settings))

    yield Step(stage="agents", fraction=0.55, message="The Local and the Global Agent read", record=record)
    record = _grow(record, log, agents=_agents(record, models, reading, log, stop))
    yield Step(stage="docscore", fraction=0.8, message="Scoring the documents that were chosen", record=record)
    pool, warnings = _pool(record, models, log, stop)
    record = _grow(record, log, pool=pool, warnings=record.warnings + warnings)
    yield Step(stage="judge", fraction=0.9, message="The Judge compares answers and evidence", record=record)
    record = _grow(record, log, final=_judge(record, models, profile.answer_opener, log, stop))
    yield Step(stage="done", fraction=1.0, record=record)


def resolved(settings: RunSettings, profile: Profile) -> RunSettings:
    """The settings with the profile's own choices where none was made."""
    own = {"docscore": profile.docscore, "selection": profile.selection}
    return settings.model_copy(update={name: getattr(settings, name) or value for name, value in own.items()})


def start(request: Request, settings: RunSettings, models: Models, run_id: str) -> RunRecord:
    """The record before anything was measured. Gold is completed from the documents' own marks."""
    marked = tuple(i for i, document in enumerate(request.documents) if document.gold)
    return RunRecord(
        run_id=run_id,
        created=datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds"),
        system=request.system,
        question=request.question.model_copy(update={"gold": request.question.gold or marked}),
        documents=request.documents,
        settings=settings,
        models=models.facts,
    )


def _grow(record: RunRecord, log: CallLog, **fields: object) -> RunRecord:
    return record.model_copy(update={**fields, "calls": tuple(log.calls)})


def _agents(record: RunRecord, models: Models, reading: Reading, log: CallLog, stop: Stop) -> Agents:
    """Local over the k best in SFS order, Global over all in the given order, decoded together."""
    question, documents, settings = record.question.text, record.documents, record.settings
    assert record.signals and settings.selection
    local_shown = [ranked.document for ranked in (record.ranking or ())[: settings.k]]
    global_shown = list(range(len(documents)))
    shown = (local_shown, global_shown)
    prompts = [agent_prompt(question, documents, indexes, settings) for indexes in shown]
    schemas = [reply_schema(indexes, settings.selection) for indexes in shown]
    tasks = [
        Task(prompts[0], settings.agent_tokens, schemas[0]),
        Task(prompts[1], settings.agent_tokens, schemas[1], reading),
    ]
    with log.call("agents", models.backbone.name, "generate") as usage:
        replies = models.backbone.complete(tasks, stop)
        usage.prompt_tokens = sum(reply.prompt_tokens for reply in replies)
        usage.new_tokens = sum(reply.new_tokens for reply in replies)
        usage.sequences = len(replies)
    by_signals = settings.selection == "signals"
    local_own = local_shown[: MAX_IMPORTANT if by_signals else 1]
    global_own = spikes(record.signals.contrast) if by_signals else []
    return Agents(
        local=read_reply(replies[0], local_shown, local_own, settings.selection),
        global_=read_reply(replies[1], global_shown, global_own, settings.selection),
    )


def spikes(contrast: Sequence[float]) -> list[int]:
    """The documents whose attention stands out most from their neighbours': at most three, sharpest first."""
    order = sorted(range(len(contrast)), key=lambda i: (-contrast[i], i))
    return [i for i in order if contrast[i] > 0][:MAX_IMPORTANT]


def _pool(record: RunRecord, models: Models, log: CallLog, stop: Stop) -> tuple[tuple[PoolEntry, ...], tuple[str, ...]]:
    """Union of the selections, scored, gated, quoted."""
    assert record.agents and record.signals
    question, documents, settings = record.question.text, record.documents, record.settings
    selected = candidates(record.agents.local, record.agents.global_)
    order = list(selected)
    if settings.docscore == "spoken":
        scored = docscore.spoken(models, question, documents, order, settings, log, stop)
    else:
        opener = PROFILES[models.profile].answer_opener
        scored = docscore.from_likelihoods(
            models, question, documents, order, record.signals, opener, settings, log, stop
        )
    kept = gate([item.score for item in scored], settings)
    pool = tuple(
        PoolEntry(
            document=document,
            selected_by=selected[document],
            score=item.score,
            answer=item.answer,
            kept=keep,
            snippets=snippets(documents[document].text, item.answer, question) if keep else (),
            kind=settings.docscore,
        )
        for document, item, keep in zip(order, scored, kept, strict=True)
    )
    return pool, _pool_warnings(scored, settings)


def _pool_warnings(scored: list[docscore.Scored], settings: RunSettings) -> tuple[str, ...]:
    warnings = []
    unread = sum(not item.readable for item in scored)
    if unread:
        warnings.append(f"{unread} of {len(scored)} score replies held no number and count as 0.")
    if scored and all(item.score < settings.tau for item in scored):
        kept = "the best-scored one was kept" if settings.fallback == "best" else "none was kept"
        warnings.append(f"No document reached tau = {settings.tau:g}; {kept}.")
    return tuple(warnings)


def _judge(record: RunRecord, models: Models, opener: str, log: CallLog, stop: Stop) -> Final:
    assert record.agents and record.agents.local and record.agents.global_
    kept = [entry for entry in record.pool or () if entry.kept]
    prompt = judge_prompt(
        record.question.text, record.documents, record.agents.local, record.agents.global_, kept, opener
    )
    with log.call("judge", models.backbone.name, "generate") as usage:
        reply = models.backbone.complete([Task(prompt, record.settings.judge_tokens)], stop)[0]
        usage.prompt_tokens, usage.new_tokens = reply.prompt_tokens, reply.new_tokens
    return Final(answer=reply.text.strip(), raw=reply.text)
