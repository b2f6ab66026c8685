"""DuQUAD's flow on a scripted model: which calls, in which order, over which documents."""

from __future__ import annotations

import json

import pytest

from core.duquad import pipeline
from core.duquad.path import steps
from core.models.protocol import Cancelled, ModelError, Prompt, Task
from core.models.scripted import ScriptedBackbone, scripted_models
from core.records import Document, Question, Request, RunRecord, Step
from core.settings.methods import RunSettings
from tests.core.models.prompts import never

GOLD = 9


def request(n: int = 20, gold: int | None = GOLD, **settings: object) -> Request:
    documents = tuple(
        Document(id=str(i), title=f"T{i}", text=f"A lake number {i} is calm. Birds live there.", gold=i == gold)
        for i in range(n)
    )
    if gold is not None:
        text = "The Potaro River plunges over Kaieteur Falls. It is brown. Boats stay away."
        documents = (*documents[:gold], documents[gold].model_copy(update={"text": text}), *documents[gold + 1 :])
    question = Question(text="which river plunges over Kaieteur Falls", answers=("Potaro",))
    return Request(
        question=question, documents=documents, settings=RunSettings.model_validate({"selection": "spoken"} | settings)
    )


def agent(documents: list[int], answer: str = "Potaro") -> str:
    return json.dumps({"important_docs": documents, "answer": answer, "reasoning": "because"})


def run(ask: Request, replies: list[str]) -> tuple[list[Step], RunRecord, list[tuple[str, object]]]:
    models = scripted_models(replies)
    found = list(pipeline.run(ask, models, "run", never))
    record = found[-1].record
    assert record is not None
    assert isinstance(models.backbone, ScriptedBackbone)
    return found, record, models.backbone.calls


def shown(prompt: Prompt) -> list[int]:
    return [piece.document for piece in prompt.pieces if piece.document is not None]


@pytest.mark.parametrize("wrong", [{"layers": (99,)}, {"layers": ()}, {"heads": (-1,)}, {"head_set": ((0, 99),)}])
def test_settings_that_the_model_does_not_have_are_named(wrong: dict[str, object]) -> None:
    with pytest.raises(ModelError, match=r"settings do not fit the model: .*(layer|head)"):
        run(request(3, gold=1, **wrong), [agent([1])] * 2)


def test_calls_in_order_and_who_sees_what() -> None:
    asked = request(pool_answers="all")
    _, record, calls = run(asked, [agent([10, 3]), agent([10]), "the Potaro", "nothing", "Potaro River"])
    assert [name for name, _ in calls] == ["read", "likelihoods", "similarities", "complete", "complete", "complete"]
    pairs, (_, texts), agents, scored, judged = (argument for _, argument in calls[1:])
    assert len(pairs) == 21 and len(texts) == 20  # every document, and the question with none
    local, global_ = agents
    ranking = [ranked.document for ranked in record.ranking or ()]
    assert shown(local.prompt) == ranking[:6] and ranking[0] == GOLD
    assert "Document [10]" in local.prompt.content  # original numbers
    assert shown(global_.prompt) == list(range(20)) and global_.reading is not None  # not read again
    assert [shown(task.prompt) for task in scored] == [[0], [0]]  # each candidate alone
    assert len(judged) == 1


def test_the_record_holds_every_stage() -> None:
    asked = request(pool_answers="all")
    found, record, _ = run(asked, [agent([10, 3]), agent([10, 5]), "the Potaro River", "a", "b", "Potaro River"])
    assert record.question.gold == (GOLD,)
    assert record.signals and len(record.signals.attention[0][0]) == 20
    assert record.agents and record.agents.local and record.agents.local.important_documents == (9, 2)
    assert [(entry.document, entry.selected_by) for entry in record.pool or ()] == [
        (9, ("local", "global")),
        (2, ("local",)),
        (4, ("global",)),
    ]
    gold = (record.pool or ())[0]
    assert gold.kept and gold.kind == "likelihood" and gold.answer == "the Potaro River"
    assert gold.snippets[0].text == "The Potaro River plunges over Kaieteur Falls."
    assert record.final and record.final.answer == "Potaro River"
    assert [call.stage for call in record.calls] == [
        "attention",
        "likelihood",
        "semantic",
        "agents",
        "docscore",
        "judge",
    ]
    assert [step.stage for step in found] == [
        "attention",
        "likelihood",
        "semantic",
        "agents",
        "docscore",
        "judge",
        "done",
    ]
    assert [step.fraction for step in found] == sorted(step.fraction for step in found)
    assert RunRecord.from_json(record.to_json()) == record
    assert " → ".join(steps(record, GOLD)).startswith("place 10 of 20 → attention rank ")
    assert steps(record, GOLD)[-3:] == ["chosen by Local and Global", f"DocScore {gold.score:.2f}", "quoted"]
    assert steps(record, 7)[-1] == "chosen by neither agent"


def test_what_the_gate_drops_is_not_asked_for_an_answer() -> None:
    replies = [agent([10, 3]), agent([10, 5]), "the Potaro River", "Potaro River"]
    _, record, calls = run(request(), replies)
    assert [(entry.document, entry.kept, entry.answer) for entry in record.pool or ()] == [
        (9, True, "the Potaro River"),
        (2, False, ""),
        (4, False, ""),
    ]
    assert [len(tasks) for name, tasks in calls if name == "complete"] == [2, 1, 1]
    assert record.llm_calls == 4  # Local, Global, the kept candidate, Judge


def test_spoken_scores_gate_the_pool() -> None:
    score = ['{"answer_span":"Potaro","score":0.9}', '{"answer_span":"x","score":0.39}', "I cannot say"]
    ask = request(docscore="spoken")
    _, record, _ = run(ask, [agent([10, 3]), agent([10, 5]), *score, "Potaro"])
    assert [(entry.score, entry.kept, entry.kind) for entry in record.pool or ()] == [
        (0.9, True, "spoken"),
        (0.39, False, "spoken"),
        (0.0, False, "spoken"),
    ]
    assert record.warnings == ("1 of 3 score replies held no number and count as 0.",)


def test_the_judge_sees_kept_documents_only() -> None:
    score = ['{"answer_span":"Potaro","score":0.9}', '{"answer_span":"x","score":0.1}']
    _, _, calls = run(request(docscore="spoken"), [agent([10, 3], "A1"), agent([10], "A2"), *score, "Potaro"])
    text = calls[-1][1][0].prompt.content
    assert "A1" in text and "A2" in text and "because" in text
    assert "Document [10](Title: T9) (score 0.90) The Potaro River plunges" in text
    assert "lake number 2" not in text


@pytest.mark.parametrize(("fallback", "kept"), [("best", [True, False]), ("empty", [False, False])])
def test_nothing_passes_the_gate(fallback: str, kept: list[bool]) -> None:
    score = ['{"answer_span":"a","score":0.2}', '{"answer_span":"b","score":0.1}']
    ask = request(docscore="spoken", fallback=fallback)
    _, record, _ = run(ask, [agent([10, 3]), agent([10]), *score, "Potaro"])
    assert [entry.kept for entry in record.pool or ()] == kept
    assert record.warnings[0].startswith("No document reached tau = 0.4")
    assert record.final and record.final.answer == "Potaro"


def test_unreadable_agents_fall_back_to_the_best_by_sfs() -> None:
    _, record, _ = run(request(), ["who knows", "no idea", "the Potaro", "Potaro"])
    assert record.agents and record.agents.local and record.agents.global_
    assert record.agents.local.important_documents == (GOLD,)
    assert record.agents.global_.important_documents == ()
    assert record.agents.local.parsed == "failed" and record.agents.local.raw == "who knows"


@pytest.mark.parametrize("n", [1, 2, 3])
def test_few_documents(n: int) -> None:
    _, record, _ = run(request(n, gold=0), [agent([1]), agent([1]), "the Potaro", "Potaro"])
    assert len(record.ranking or ()) == n
    assert record.agents and record.agents.local and len(record.agents.local.documents_shown) == n
    assert record.final and record.final.answer == "Potaro"


def test_k_and_weights_reach_the_local_agent() -> None:
    _, record, _ = run(request(k=2, alpha=0, beta=0, gamma=0), [agent([1]), agent([10]), "x", "y", "Potaro"])
    assert record.agents and record.agents.local
    assert record.agents.local.documents_shown == (0, 1)  # all tied: lower index first


def test_a_run_stops_where_it_is_told_to() -> None:
    seen = 0

    def stop() -> None:
        nonlocal seen
        seen += 1
        if seen == 3:
            raise Cancelled

    with pytest.raises(Cancelled):
        list(pipeline.run(request(), scripted_models(), "run", stop))


def test_tasks_are_limited_by_the_settings() -> None:
    _, _, calls = run(request(agent_tokens=33, score_tokens=9, judge_tokens=7), [agent([10]), agent([10]), "a", "b"])
    limits = [[task.max_new_tokens for task in argument] for name, argument in calls if name == "complete"]
    assert limits == [[33, 33], [9], [7]]
    assert all(isinstance(task, Task) for task in calls[-1][1])


def test_selections_read_off_the_signals() -> None:
    said = json.dumps({"answer": "Potaro", "reasoning": "r"})
    _, record, calls = run(request(selection="signals"), [said, said, *["the Potaro"] * 6, "Potaro"])
    assert record.agents and record.agents.local and record.agents.global_ and record.signals
    local, global_ = record.agents.local, record.agents.global_
    assert local.important_documents == local.documents_shown[:3]  # the best by SFS
    assert global_.important_documents == tuple(pipeline.spikes(record.signals.contrast))
    assert (local.selection, global_.selection) == ("signals", "signals")
    assert (local.parsed, local.answer) == ("schema", "Potaro")
    task = next(argument for name, argument in calls if name == "complete")[0]
    assert list(task.schema["properties"]) == ["answer", "reasoning"]
    assert "important_docs" not in task.prompt.content


def test_the_profile_decides_where_the_settings_do_not() -> None:
    _, record, _ = run(request(selection=None), [])
    assert (record.settings.selection, record.settings.docscore) == ("signals", "likelihood")


def test_spikes_by_hand() -> None:
    assert pipeline.spikes([0.1, 0.5, -0.2, 0.5, 0.3, 0.0]) == [1, 3, 4]
    assert pipeline.spikes([0.0]) == [] == pipeline.spikes([])
    assert pipeline.spikes([-0.5, 0.5]) == [1]
