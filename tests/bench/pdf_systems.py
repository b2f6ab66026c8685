"""Every system over PDFs on the project's own example PDFs: ``python -m tests.bench.pdf_systems --minutes 60``.

The documents and their questions are made for this project and few, so the table shows how the systems behave on the
embedded models and ranks none of them. What is answered is kept in ``assets/results/pdfs.jsonl`` and not asked again,
so a table can be had at any time and grown in several sittings: ``assets/results/pdfs.md``.
"""

from __future__ import annotations

import argparse
import datetime
import json
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from core.evaluation.statistics import estimate
from core.ingest.page_store import PageStore
from core.ingest.pdf import take_in
from core.ingest.pdf_examples import PdfExample, read_pdf_examples
from core.models.protocol import ModelError
from core.records import PdfRef, Request, RunRecord
from core.settings.methods import PdfSettings, RunSettings
from core.systems import SYSTEMS
from tests.bench.growing import RESULTS, Row, known, runnable
from tests.bench.material import models, never
from ui.compare_numbers import cost, ranked, read_order, right

PDFS = Path(__file__).resolve().parents[2] / "assets" / "pdfs"
ROWS = RESULTS / "pdfs.jsonl"
TABLE = RESULTS / "pdfs.md"


def main() -> int:
    """Asks what is missing while there is time, then writes and prints the table."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.pdf_systems", description=__doc__)
    parser.add_argument("--minutes", type=float, default=60, help="no run begins after them; 0 prints what there is")
    parser.add_argument("--systems", help="names with commas between; default: all that can run")
    parser.add_argument("--questions", type=int, help="only the first ones; default: all")
    options = parser.parse_args()
    names = options.systems.split(",") if options.systems else runnable("pdf")
    RESULTS.mkdir(exist_ok=True)
    grow(names, read_pdf_examples(PDFS)[: options.questions], time.monotonic() + 60 * options.minutes)
    every = runnable("pdf")
    written = markdown(table([row for row in known(ROWS) if row["system"] in every], every))
    TABLE.write_text(written + "\n", encoding="utf-8")
    print(written)
    return 0


def grow(names: Sequence[str], examples: Sequence[PdfExample], end: float) -> None:
    """Asks and keeps the missing rows, question by question, until the time is over."""
    have = {(row["question"], row["system"]) for row in known(ROWS)}
    for example in examples:
        for name in names:
            if (example.slug, name) in have:
                continue
            if time.monotonic() > end:
                print("The minutes are over; call again to go on.", file=sys.stderr)
                return
            row = ask(example, name)
            with ROWS.open("a", encoding="utf-8") as file:
                file.write(json.dumps(row, ensure_ascii=False) + "\n")
            print(f"{example.slug}, {name}: {row['answer']!r}, {row['seconds']:.0f} s", file=sys.stderr)


def ask(example: PdfExample, name: str) -> Row:
    """One system on one question; a system that cannot answer leaves a row that says why, and counts as wrong."""
    source = take_in(PDFS / example.file, example.file, PageStore(models().cache))
    ref = PdfRef(sha256=source.sha256, name=source.name)
    # DuQUAD's view of the pages is SLEUTH's alone and decides no answer, so it would only be charged to SLEUTH.
    settings = RunSettings(pdf=PdfSettings(duquad=False))
    request = Request(system=name, question=example.question, pdf=ref, settings=settings)
    try:
        *_, last = SYSTEMS[name].load()(request, models(), f"results-{example.slug}", never)
    except ModelError as error:
        return {
            "question": example.slug,
            "system": name,
            "right": False,
            "answer": "",
            "seconds": 0,
            "error": str(error),
        }
    assert isinstance(last.record, RunRecord)
    return _row(last.record, example)


def _row(record: RunRecord, example: PdfExample) -> Row:
    (gold, *_), order, took = example.question.gold_pages, read_order(record), cost(record, None)
    has_rank = any(page.rank is not None for page in record.pages or ())
    # Pages are encoded by whichever system comes first, so encoding them is charged to none.
    encoding = [call for call in record.calls if call.kind == "embed" and call.stage in ("pages: encode", "graph")]
    return {
        "question": example.slug,
        "system": record.system,
        "right": bool(right(record)),
        "answer": record.final.answer if record.final else "",
        "rank": ranked(record).index(gold) + 1 if has_rank else None,
        "read_at": order.index(gold) + 1 if gold in order else None,
        "read": len(order),
        "calls": took.calls,
        "tokens_in": took.tokens_in - sum(call.prompt_tokens for call in encoding),
        "tokens_out": took.tokens_out,
        "seconds": round(took.seconds - sum(call.seconds for call in encoding), 3),
        "counts": record.counts or {},
        "warnings": record.warnings,
    }


def table(rows: Sequence[Row], names: Sequence[str]) -> Row:
    """Figures per system over its questions; the same row asked twice counts once, the first time."""
    first: dict[tuple[str, str], Row] = {}
    for row in rows:
        first.setdefault((row["question"], row["system"]), row)
    by_system = {name: [row for (_, system), row in first.items() if system == name] for name in names}
    base = {row["question"]: row["seconds"] for row in by_system.get("pdf_base", [])}
    return {
        "date": datetime.date.today().isoformat(),
        "data": "nine questions about three example PDFs made for this project",
        "profile": "embedded",
        "systems": {name: _figures(mine, base) for name, mine in by_system.items() if mine},
    }


def _figures(rows: Sequence[Row], base: dict[str, float]) -> Row:
    found = estimate([float(row["right"]) for row in rows])
    ran = [row for row in rows if "error" not in row]
    times = [row["seconds"] / base[row["question"]] for row in ran if base.get(row["question"])]
    assert found
    return {
        "questions": len(rows),
        "failed": len(rows) - len(ran),
        "accuracy": round(found.mean, 4),
        "interval": [round(found.low, 4), round(found.high, 4)],
        "gold_read": round(_mean([row["read_at"] is not None for row in ran]), 4),
        "pages_read": round(_mean([row["read"] for row in ran]), 2),
        "calls": round(_mean([row["calls"] for row in ran]), 2),
        "tokens": round(_mean([row["tokens_in"] + row["tokens_out"] for row in ran]), 1),
        "seconds": round(_mean([row["seconds"] for row in ran]), 2),
        "times_base": round(_mean(times), 3) if times else None,
    }


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else 0.0


def markdown(written: Row) -> str:
    """The table as it stands in the README."""
    lines = [
        f"{written['data']}; profile {written['profile']}, {written['date']}",
        "",
        "| system | questions | accuracy (95 %) | gold page read | pages read | calls | tokens | time against Base |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for name, row in written["systems"].items():
        low, high = row["interval"]
        times = "–" if row["times_base"] is None else f"{row['times_base']:.1f} ×"
        lines.append(
            f"| {SYSTEMS[name].title} | {row['questions']} | {row['accuracy']:.2f} ({low:.2f} to {high:.2f}) | "
            f"{row['gold_read']:.2f} | {row['pages_read']:.1f} | {row['calls']:.1f} | {row['tokens']:,.0f} | {times} |"
        )
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())
