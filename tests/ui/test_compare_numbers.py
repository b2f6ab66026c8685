from __future__ import annotations

import csv
import io
import json

import pytest

from core.records import Call, CompareRecord, Document, Final, Judged, PoolEntry, Question, Ranked, RunRecord
from core.settings.methods import RunSettings
from tests.ui.compare_sample import SYSTEMS, compare_sample, pdf_compare_sample
from tests.ui.sample import GOLD
from ui.compare_cards import columns_html
from ui.compare_export import EXPORTS, exported, ranks_rows, systems_rows
from ui.compare_figures import bump, summary
from ui.compare_numbers import (
    cost,
    count,
    golds,
    of_pages,
    plain_system,
    ranked,
    read_order,
    right,
    shown_units,
    unit,
    way_of_gold,
)


def record(system: str = "x", n: int = 4, **fields: object) -> RunRecord:
    documents = tuple(Document(id=str(i), title=f"T{i}", text="text", gold=i == 2) for i in range(n))
    start = {"run_id": "r", "created": "", "system": system, "documents": documents, "models": {}}
    question = Question(text="q", answers=("Potaro",), gold=(2,))
    return RunRecord.model_validate(start | {"question": question, "settings": RunSettings()} | fields)


def places(*documents: int) -> tuple[Ranked, ...]:
    return tuple(Ranked(document=document, score=-float(i)) for i, document in enumerate(documents))


def entry(document: int, score: float, kept: bool) -> PoolEntry:
    return PoolEntry(document=document, selected_by=("local",), score=score, answer="", kept=kept, kind="likelihood")


def test_the_order_read_is_what_the_last_reader_saw() -> None:
    assert read_order(record()) == (0, 1, 2, 3)
    assert read_order(record(shown=(3, 1))) == (3, 1)
    assert read_order(record(pool=(entry(1, 0.5, True), entry(2, 0.9, True), entry(0, 0.99, False)))) == (2, 1)


def test_ranks_are_the_given_order_where_nothing_is_ranked() -> None:
    assert ranked(record()) == (0, 1, 2, 3)
    assert ranked(record(ranking=places(2, 0, 3, 1))) == (2, 0, 3, 1)


@pytest.mark.parametrize(
    "fields, said",
    [
        ({}, "read at place 3 of 4"),
        ({"ranking": places(3, 2, 0, 1), "shown": (3, 2, 0, 1)}, "ranked 2 of 4, read at place 2 of 4"),
        ({"ranking": places(3, 0, 2, 1), "shown": (3, 0)}, "ranked 3 of 4, left out"),
        ({"ranking": places(2, 0, 3, 1), "pool": (entry(2, 0.9, True),)}, "ranked 1 of 4, quoted at place 1 of 1"),
        ({"ranking": places(2, 0, 3, 1), "pool": (entry(2, 0.25, False),)}, "ranked 1 of 4, pruned with DocScore 0.25"),
        ({"ranking": places(2, 0, 3, 1), "pool": ()}, "ranked 1 of 4, chosen by neither agent"),
        (
            {"judged": (Judged(document=2, answer="", score=0, kept=False),), "shown": (0,)},
            "below the bar",
        ),
    ],
)
def test_what_became_of_gold(fields: dict[str, object], said: str) -> None:
    assert way_of_gold(record(**fields), 2) == said


def test_gold_is_in_the_chunk_of_its_reader() -> None:
    found = compare_sample().record("tree_of_agents")
    assert found and way_of_gold(found, GOLD) == "in the chunk of reader 3 of 5"


def call(kind: str, seconds: float, sequences: int = 1, shared: float | None = None) -> Call:
    return Call(
        stage="s",
        model="m",
        kind=kind,
        sequences=sequences,
        prompt_tokens=10,
        new_tokens=2,
        seconds=seconds,
        shared_seconds=shared,
    )


def test_costs_are_counted_and_stand_beside_vanilla() -> None:
    plain = record("vanilla", calls=(call("generate", 2.0),))
    other = record("x", calls=(call("score", 1.0, 20, 0.75), call("generate", 4.0, 3)))
    took = cost(other, plain)
    assert (took.calls, took.tokens_in, took.tokens_out, took.seconds, took.shared) == (3, 20, 4, 5.0, 0.75)
    assert took.relative == 2.5 and cost(plain, plain).relative == 1
    assert cost(other, None).relative is None and cost(other, record("vanilla")).relative is None
    assert cost(record("m", counts={"llm_calls": 41.0}, calls=other.calls), plain).calls == 41


def test_an_answer_is_right_wrong_or_not_known() -> None:
    assert right(record(final=Final(answer="the Potaro River"))) is True
    assert right(record(final=Final(answer="Essequibo"))) is False
    assert right(record()) is None


def test_gold_is_marked_on_documents_or_named_by_the_question() -> None:
    assert golds(compare_sample()) == [GOLD]


# ---- the chart


def trace(document: int, selected: int | None = None, compared: CompareRecord | None = None) -> dict[str, object]:
    drawn = json.loads(bump(compared or compare_sample(), selected, False).to_json())
    return next(one for one in drawn["data"] if one["name"] == f"document {document + 1}")


def test_every_document_is_a_line_through_its_ranks() -> None:
    compared = compare_sample()
    drawn = json.loads(bump(compared, None, False).to_json())
    assert len(drawn["data"]) == len(compared.documents) == 20
    for one in drawn["data"]:
        document = one["customdata"][0][0]
        assert one["y"] == [ranked(found).index(document) + 1 for found in compared.records]
        assert one["customdata"] == [[document]] * len(compared.records)
    assert drawn["data"][-1]["customdata"][0] == [GOLD]  # on top of the others


def test_hollow_where_the_reader_did_not_see_it() -> None:
    compared = compare_sample()
    place = [found.system for found in compared.records].index("main_rag")
    order = read_order(compared.records[place])
    kept, lost = order[0], next(i for i in range(20) if i not in order)
    for document, hollow in ((kept, False), (lost, True)):
        marker = trace(document)["marker"]
        assert isinstance(marker, dict)
        assert (marker["color"][place] == "#ffffff") is hollow


def test_the_selected_line_stands_out() -> None:
    assert trace(3, selected=3)["line"]["width"] > trace(3)["line"]["width"]  # type: ignore[index]


def test_hostile_titles_stay_text_in_the_chart() -> None:
    text = bump(compare_sample(), 3, True).to_json()
    assert "<script" not in text and "<img" not in text


def test_nothing_to_draw_says_so() -> None:
    waiting = compare_sample().model_copy(update={"records": ()})
    for compared in (None, waiting):
        assert "No system has finished yet" in bump(compared, None, False).to_json()
        assert summary(compared) == "No system has finished yet."


def test_the_chart_in_a_sentence() -> None:
    said = summary(compare_sample())
    assert said.startswith(f"Rank of gold document {GOLD + 1}: DuQUAD 1, Dense reorder 1")
    assert said.endswith("In the given order: Vanilla, Tree of Agents.")
    unknown = compare_sample(("vanilla", "bm25"))
    bare = unknown.model_copy(
        update={
            "question": unknown.question.model_copy(update={"gold": ()}),
            "documents": tuple(document.model_copy(update={"gold": None}) for document in unknown.documents),
        }
    )
    assert "gold is not known" in summary(bare)


# ---- exports


def test_exports_are_the_record_and_its_tables() -> None:
    compared = compare_sample()
    found = exported("json", compared)
    assert found and CompareRecord.from_json(found["text"]) == compared
    rows = list(csv.DictReader(io.StringIO(exported("systems", compared)["text"])))  # type: ignore[index]
    assert [row["system"] for row in rows] == list(SYSTEMS)
    assert rows[0]["times Vanilla"] == "1.0" and "no reranker" in rows[5]["error"]
    assert rows[3]["calls"] == "41" and rows[0]["order read"].split() == [str(i) for i in range(1, 21)]
    ranks = list(csv.DictReader(io.StringIO(exported("ranks", compared)["text"])))  # type: ignore[index]
    assert len(ranks) == 20 and ranks[GOLD]["gold"] == "gold" and ranks[GOLD]["rank by Dense reorder"] == "1"
    assert ranks[GOLD]["rank by Vanilla"] == "" and ranks[GOLD]["read by Vanilla"] == str(GOLD + 1)
    assert exported("json", None) is None and exported("../x", compared) is None
    assert set(EXPORTS) == {"json", "systems", "ranks"}


def test_tables_have_a_cell_for_each_header() -> None:
    for table in (systems_rows(compare_sample()), ranks_rows(compare_sample())):
        headers, rows = table
        assert rows and all(len(row) == len(headers) for row in rows)


def test_a_formula_in_a_title_is_made_harmless() -> None:
    text = exported("ranks", compare_sample())["text"]  # type: ignore[index]
    assert "\n7,=HYPERLINK" not in text and '\n7,"=HYPERLINK' not in text


# ---- pages of a PDF


def test_pages_stand_in_the_place_of_documents() -> None:
    compared = pdf_compare_sample()
    whole, other = compared.records
    assert of_pages(compared) and unit(compared) == "page" and count(compared) == len(whole.pages or ())
    assert golds(compared) == [7]
    assert read_order(whole) == tuple(page.page for page in whole.pages or () if page.kept)
    assert len(read_order(other)) == 1
    order = ranked(whole)
    assert sorted(order) == list(range(count(compared)))
    by_rank = {page.page: page.rank for page in whole.pages or () if page.rank is not None}
    assert list(order[: len(by_rank)]) == sorted(by_rank, key=lambda page: by_rank[page])


def test_shown_documents_of_a_pdf_are_pages() -> None:
    whole = pdf_compare_sample().records[0]
    shown = whole.model_copy(update={"shown": (1, 0)})
    assert read_order(shown) == (whole.documents[1].page, whole.documents[0].page)


def test_what_became_of_a_gold_page() -> None:
    whole, other = pdf_compare_sample().records
    kept = read_order(whole)[-1]
    assert "read at place" in way_of_gold(whole, kept)
    assert "screened out" in way_of_gold(other, kept) or kept in read_order(other)
    far = next(page.page for page in whole.pages or () if not page.candidate)
    assert "not retrieved" in way_of_gold(whole, far)
    walked = whole.model_copy(update={"shown": (0,)})
    assert way_of_gold(walked, walked.documents[1].page or 0).endswith("left out")
    unranked = tuple(page.model_copy(update={"rank": None}) for page in whole.pages or ())
    assert way_of_gold(whole.model_copy(update={"pages": unranked, "shown": (0,), "ranking": None}), far) == "left out"


def test_seconds_are_measured_against_the_plain_system() -> None:
    pages = pdf_compare_sample()
    assert (plain_system(pages), plain_system(compare_sample())) == ("pdf_base", "vanilla")
    calls = [
        (Call(stage="s", model="m", kind="generate", prompt_tokens=1, new_tokens=1, seconds=s),) for s in (2.0, 3.0)
    ]
    base, other = (record(calls=own) for own in calls)
    assert cost(other, base).relative == 1.5 and cost(other, None).relative is None
    assert "times Base" in systems_rows(pages)[0] and "<dt>Base</dt>" in columns_html(pages, None, False)


def test_a_chart_of_pages_has_a_line_per_candidate_and_keeps_deep_ranks_at_the_edge() -> None:
    compared = pdf_compare_sample()
    candidates = {page.page for page in compared.records[0].pages or () if page.candidate}
    far = next(page for page in ranked(compared.records[0])[::-1] if page not in candidates)
    assert set(shown_units(compared, None)) == candidates | {7}
    drawn = json.loads(bump(compared, far, True).to_json())
    assert {one["customdata"][0][0] for one in drawn["data"]} == candidates | {7, far}
    lowest = max(max(one["y"]) for one in drawn["data"])
    assert lowest == next(one["y"][0] for one in drawn["data"] if one["customdata"][0] == [far])
    assert lowest <= len(candidates) + 2


def test_exports_of_pages() -> None:
    compared = pdf_compare_sample()
    headers, rows = ranks_rows(compared)
    assert headers[0] == "page" and len(rows) == count(compared) and rows[7][2] == "gold"
    assert len(systems_rows(compared)[1]) == 2
    assert "Rank of gold page 8: SLEUTH" in summary(compared)
