"""Rows of every layout, made by hand, and files that hold them."""

from __future__ import annotations

import gzip
import io
import json
import zipfile
from pathlib import Path
from typing import Any

LITM = {
    "question": "who wrote faust",
    "answers": ["Goethe", "Johann Wolfgang von Goethe"],
    "ctxs": [
        {"id": "7", "title": "Weimar", "text": "A town.", "score": "1.5", "hasanswer": False, "isgold": False},
        {"title": "Faust", "text": "Written by Goethe.", "hasanswer": True, "isgold": True},
    ],
    "nq_annotated_gold": {"title": "Faust"},
}
MUSIQUE = {
    "id": "2hop__13_45",
    "paragraphs": [
        {"idx": 0, "title": "Faust", "paragraph_text": "A play by Goethe.", "is_supporting": True},
        {"idx": 1, "title": "Faust", "paragraph_text": "A film.", "is_supporting": False},
        {"idx": 2, "title": "Goethe", "paragraph_text": "He lived in Weimar.", "is_supporting": True},
    ],
    "question": "Where did the author of Faust live?",
    "question_decomposition": [],
    "answer": "Weimar",
    "answer_aliases": ["the town of Weimar"],
    "answerable": True,
}
HOTPOT = {
    "_id": "5a7f",
    "question": "Are Ed and Ann of the same town?",
    "answer": "yes",
    "type": "comparison",
    "level": "hard",
    "supporting_facts": [["Ed", 0], ["Ann", 1]],
    "context": [["Ed", ["Ed is of Ulm.", " He sings."]], ["Bo", ["Bo."]], ["Ann", ["Ann.", " She is of Ulm."]]],
}
HOTPOT_HUB = {
    "question": HOTPOT["question"],
    "answer": "yes",
    "type": "comparison",
    "level": "hard",
    "supporting_facts": {"title": ["Ed", "Ann"], "sent_id": [0, 1]},
    "context": {
        "title": ["Ed", "Bo", "Ann"],
        "sentences": [["Ed is of Ulm.", " He sings."], ["Bo."], ["Ann.", " She is of Ulm."]],
    },
}
MMLONG = {
    "doc_id": "annual.pdf",
    "doc_type": "Financial report",
    "question": "How many plants closed?",
    "answer": "4",
    "evidence_pages": "[1, 2]",
    "evidence_sources": "['Table', 'Chart']",
    "answer_format": "Int",
}
LONGDOCURL = {
    "question_id": "q1",
    "doc_no": "4026369",
    "total_pages": 3,
    "start_end_idx": [1, 3],
    "question_type": "extract",
    "question": "Which towns?",
    "answer": ["Ulm", "Rom"],
    "evidence_pages": [2, 9],
    "evidence_sources": ["Text", "Table"],
    "answer_format": "List",
    "task_tag": "Understanding",
    "images": ["/data/png/4026/4026369_0.png", "/data/png/4026/4026369_1.png"],
    "pdf_path": "/data/pdf/4026/4026369.pdf",
}
MOLORAG_URL = {
    "id": "u1",
    "doc_id": "4026369",
    "question": "Which town?",
    "answer": "Ulm",
    "evidence_pages": "[3]",
    "evidence_sources": "['Text']",
    "answer_format": "Str",
    "detailed_evidences": "a line",
    "task_type": "Locating",
}
PAPERTAB = "doc_name|q_uid|question|answer_1|answer_2|answer_3\n1911.10742|u1|What is used?|BERT|a BERT model|\n"
FETATAB = 'doc_name|q_uid|question|answer|doc_url\nA (film)|u2|"Who, and | when?"|Ed in 1999.|http://x\n'
PAPERTAB_JSON = {
    "id": "p1",
    "doc_id": "1911.10742.pdf",
    "question": "What?",
    "answer": "['BERT', 'a BERT model']",
    "answer_format": "Multiple",
}
FETATAB_JSON = {"id": "f1", "doc_id": "A (film)", "question": "Who?", "answer": "Ed won.", "answer_format": "Str"}
RAGCHECKER = {
    "query_id": "0",
    "query": "Who wrote Faust?",
    "gt_answer": "Goethe wrote it.",
    "response": "Schiller.",
    "retrieved_context": [{"doc_id": "d1", "text": "Faust is by Goethe."}, {"doc_id": "d2", "text": "Weimar."}],
}


def lines(*rows: Any) -> bytes:
    return "".join(json.dumps(row) + "\n" for row in rows).encode()


def put(folder: Path, content: bytes | str, name: str = "set") -> Path:
    path = folder / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def packed(content: bytes) -> bytes:
    return gzip.compress(content)


def parquet(rows: list[dict[str, Any]]) -> bytes:
    import pyarrow
    import pyarrow.parquet

    out = io.BytesIO()
    pyarrow.parquet.write_table(pyarrow.Table.from_pylist(rows), out)
    return out.getvalue()


def workbook(*rows: tuple[Any, ...]) -> bytes:
    import openpyxl

    book = openpyxl.Workbook()
    for row in rows:
        book.active.append(row)
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def archive(members: dict[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as file:
        for name, content in members.items():
            file.writestr(name, content)
    return out.getvalue()


def pdf(pages: int = 1) -> bytes:
    import pymupdf

    document = pymupdf.open()
    for number in range(pages):
        document.new_page().insert_text((72, 72), f"Page {number + 1}")
    return bytes(document.tobytes())
