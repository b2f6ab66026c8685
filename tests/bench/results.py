"""Every system over documents on NQ-pool-20, not the official NQ split: ``python -m tests.bench.results --minutes 60``.

Each question is asked with gold at three places. What is answered is kept in ``assets/results/documents.jsonl`` and
not asked again, so a table can be had at any time and grown in several sittings, on several machines:
``assets/results/documents.md``. What is the same at two places, such as an order by content, is asked once.
"""

from __future__ import annotations

import argparse
import datetime
import json
import sys
import time
from collections.abc import Iterator, Sequence

from core.evaluation.statistics import difference, estimate
from core.models.profile import Models
from core.models.shared import shared
from core.records import Request, RunRecord
from core.settings.methods import BaselineSettings, RunSettings
from core.systems import SYSTEMS
from core.text import contains_answer
from tests.bench.growing import RESULTS, Row, known, runnable
from tests.bench.material import FIRST, models, pool20
from ui.compare_numbers import cost, ranked, read_order

PLACES = (0, 9, 19)
"""Gold first, tenth and last."""
ROWS = RESULTS / "documents.jsonl"
TABLE = RESULTS / "documents.md"


class OutOfTime(Exception):
    """The minutes are over."""


def main() -> int:
    """Asks what is missing while there is time, then writes and prints the table."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.results", description=__doc__)
    parser.add_argument("--minutes", type=float, default=60, help="how long to ask; 0 prints what there is")
    parser.add_argument("--questions", type=int, default=50, help="of those that DocScore was not calibrated on")
    parser.add_argument("--systems", help="names with commas between; default: all that can run")
    parser.add_argument("--dummy", choices=["each", "together"], default="each", help="how FiM is calibrated")
    options = parser.parse_args()
    names = options.systems.split(",") if options.systems else runnable("documents")
    RESULTS.mkdir(exist_ok=True)
    end = time.monotonic() + 60 * options.minutes
    try:
        for rows in asked(names, options.questions, options.dummy, end):
            with ROWS.open("a", encoding="utf-8") as file:
                file.writelines(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    except OutOfTime:
        print("The minutes are over; call again to go on.", file=sys.stderr)
    every = runnable("documents")
    written = markdown(table([row for row in known(ROWS) if row["system"] in every], every))
    TABLE.write_text(written + "\n", encoding="utf-8")
    print(written)
    return 0


def asked(names: Sequence[str], questions: int, dummy: str, end: float) -> Iterator[list[Row]]:
    """The missing rows of one question at one place at a time; work that systems share is done once."""
    have = {(row["question"], row["place"], row["system"]) for row in known(ROWS)}
    for number in range(FIRST, FIRST + questions):
        remembering, _ = shared(models())
        for place in PLACES:
            missing = [name for name in names if (number, place, name) not in have]
            if missing and "vanilla" not in missing:
                missing = ["vanilla", *missing]  # what seconds are measured against
            if not missing:
                continue
            if time.monotonic() > end:
                raise OutOfTime
            yield ask(pool20(place)[number], remembering, missing, number, place, dummy)
            print(f"question {number - FIRST + 1}, gold at {place + 1}: {len(missing)} systems", file=sys.stderr)


def ask(request: Request, remembering: Models, names: Sequence[str], number: int, place: int, dummy: str) -> list[Row]:
    """The rows of some systems on one question, over models that remember what two of them ask alike."""
    settings = RunSettings(baselines=BaselineSettings.model_validate({"dummy": dummy}))
    records = []
    for name in names:
        own = request.model_copy(update={"system": name, "settings": settings})
        *_, last = SYSTEMS[name].load()(own, remembering, f"results-{number}-{place}", lambda: None)
        assert isinstance(last.record, RunRecord)
        records.append(last.record)
    vanilla = next((record for record in records if record.system == "vanilla"), None)
    return [_row(record, vanilla, number, place) for record in records]


def _row(record: RunRecord, vanilla: RunRecord | None, number: int, place: int) -> Row:
    gold, order, took = record.question.gold[0], read_order(record), cost(record, vanilla)
    answer = record.final.answer if record.final else ""
    return {
        "question": number,
        "place": place,
        "system": record.system,
        "right": contains_answer(answer, record.question.answers),
        "answer": answer,
        "rank": ranked(record).index(gold) + 1 if record.ranking else None,
        "read_at": order.index(gold) + 1 if gold in order else None,
        "read": len(order),
        "calls": took.calls,
        "tokens_in": took.tokens_in,
        "tokens_out": took.tokens_out,
        "seconds": round(took.seconds, 3),
        "times_vanilla": round(took.relative, 4) if took.relative else None,
    }


def table(rows: Sequence[Row], names: Sequence[str]) -> Row:
    """Figures per system over its questions; the same row asked twice counts once, the first time.

    The unit of every interval is the question, over its places: places of one question are no independent draws.
    """
    first: dict[tuple[int, int, str], Row] = {}
    for row in rows:
        first.setdefault((row["question"], row["place"], row["system"]), row)
    whole = [key for key in {(q, s) for q, _, s in first} if all((key[0], p, key[1]) in first for p in PLACES)]
    marks = {
        name: {q: sum(first[q, p, name]["right"] is True for p in PLACES) / len(PLACES) for q, s in whole if s == name}
        for name in names
    }
    systems = {}
    for name in names:
        mine = [first[q, p, name] for q in marks[name] for p in PLACES]
        if mine:
            systems[name] = _figures(mine, marks[name], marks.get("vanilla", {}))
    return {
        "date": datetime.date.today().isoformat(),
        "data": "NQ-pool-20, a stand-in built from real NQ passages; not the official NQ split",
        "profile": "embedded",
        "places": [place + 1 for place in PLACES],
        "systems": systems,
    }


def _figures(rows: Sequence[Row], marks: dict[int, float], vanilla: dict[int, float]) -> Row:
    found = estimate(list(marks.values()))
    both = sorted(marks.keys() & vanilla.keys())
    gap = difference([vanilla[q] for q in both], [marks[q] for q in both])
    ranks = [row["rank"] for row in rows if row["rank"] is not None]
    times = [row["times_vanilla"] for row in rows if row["times_vanilla"]]
    assert found
    return {
        "questions": len(marks),
        "accuracy": round(found.mean, 4),
        "interval": [round(found.low, 4), round(found.high, 4)],
        "by_place": {
            str(place + 1): round(_mean([row["right"] is True for row in rows if row["place"] == place]), 4)
            for place in PLACES
        },
        "against_vanilla": gap and {name: round(getattr(gap, name), 4) for name in ("mean", "low", "high", "p")},
        "gold_first": round(_mean([rank == 1 for rank in ranks]), 4) if ranks else None,
        "gold_read": round(_mean([row["read_at"] is not None for row in rows]), 4),
        "calls": round(_mean([row["calls"] for row in rows]), 2),
        "tokens": round(_mean([row["tokens_in"] + row["tokens_out"] for row in rows]), 1),
        "times_vanilla": round(_mean(times), 3) if times else None,
    }


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else 0.0


def markdown(written: Row) -> str:
    """The table as it stands in the README."""
    places = written["places"]
    lines = [
        f"{written['data']}; profile {written['profile']}, {written['date']}",
        "",
        "| system | questions | accuracy (95 %) | "
        + " | ".join(f"gold at {place}" for place in places)
        + " | gold ranked first | calls | tokens | time against Vanilla |",
        "|---|---|---|" + "---|" * len(places) + "---|---|---|---|",
    ]
    for name, row in written["systems"].items():
        low, high = row["interval"]
        at = " | ".join(f"{row['by_place'][str(place)]:.2f}" for place in places)
        first = "–" if row["gold_first"] is None else f"{row['gold_first']:.2f}"
        times = "–" if row["times_vanilla"] is None else f"{row['times_vanilla']:.1f} ×"
        lines.append(
            f"| {SYSTEMS[name].title} | {row['questions']} | {row['accuracy']:.3f} ({low:.3f} to {high:.3f}) | {at} | "
            f"{first} | {row['calls']:.1f} | {row['tokens']:,.0f} | {times} |"
        )
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())
