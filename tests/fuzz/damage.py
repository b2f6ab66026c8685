"""Files that are damaged in the ways in which files are damaged, and by people who mean it."""

from __future__ import annotations

import gzip
import io
import json
import random
from collections.abc import Callable, Iterator

import pymupdf

from tests.core.ingest.sets import files
from ui.samples import Samples

Damage = Callable[[bytes, random.Random], bytes]


def flipped(data: bytes, chance: random.Random) -> bytes:
    """A few bits turned."""
    out = bytearray(data)
    for _ in range(chance.randint(1, 40)):
        out[chance.randrange(len(out))] ^= 1 << chance.randrange(8)
    return bytes(out)


def cut(data: bytes, chance: random.Random) -> bytes:
    """Ends in the middle."""
    return data[: chance.randrange(1, len(data))]


def spliced(data: bytes, chance: random.Random) -> bytes:
    """A stretch stands somewhere else as well."""
    start = chance.randrange(len(data))
    piece = data[start : start + chance.randint(1, 4000)]
    at = chance.randrange(len(data))
    return data[:at] + piece + data[at:]


def holed(data: bytes, chance: random.Random) -> bytes:
    """A stretch is gone."""
    start = chance.randrange(len(data))
    return data[:start] + data[start + chance.randint(1, max(2, len(data) // 4)) :] or b"x"


def headless(data: bytes, chance: random.Random) -> bytes:
    """The first bytes are another file's."""
    return (
        chance.choice([b"PK\x03\x04", b"\x1f\x8b\x08", b"%PDF-1.7\n", b"PAR1", b"\x00" * 16, b"[[[[", b"<html>"]) + data
    )


def numbers(data: bytes, chance: random.Random) -> bytes:
    """Digits become enormous or negative."""
    out = bytearray()
    for byte in data:
        big = 0x30 <= byte <= 0x39 and chance.random() < 0.01
        out += chance.choice([b"-1", b"99999999999999999999", b"0", b"1e999"]) if big else bytes([byte])
    return bytes(out)


def nested(data: bytes, chance: random.Random) -> bytes:
    """Brackets without end in the middle."""
    at = chance.randrange(len(data))
    bracket = chance.choice([b"[", b"{", b"<<", b"(", b'{"a":'])
    return data[:at] + bracket * chance.choice([50, 5_000, 50_000]) + data[at:]


DAMAGES: tuple[Damage, ...] = (flipped, cut, spliced, holed, headless, numbers, nested)


def damaged(originals: list[bytes], number: int, seed: int) -> Iterator[tuple[str, bytes]]:
    """``number`` files: (what was done, content); each has one to three kinds of damage."""
    chance = random.Random(seed)
    for place in range(number):
        data, done = originals[place % len(originals)], []
        for damage in chance.sample(DAMAGES, chance.randint(1, 3)):
            data = damage(data, chance)
            done.append(damage.__name__)
        yield "+".join(done), data


def question_files() -> list[bytes]:
    """One whole file of every layout and container."""
    rows = [files.LITM, files.MUSIQUE, files.HOTPOT, files.MMLONG, files.LONGDOCURL, files.PAPERTAB_JSON]
    rows += [files.HOTPOT_HUB, files.MOLORAG_URL, files.FETATAB_JSON]
    whole = [files.lines(row, row, row) for row in rows]
    whole += [json.dumps([row, row]).encode() for row in (files.HOTPOT, files.RAGCHECKER)]
    whole += [files.PAPERTAB.encode(), files.FETATAB.encode(), b"question,answer,text\nwho?,me,it is me\n"]
    whole += [gzip.compress(files.lines(files.LITM)), files.parquet([files.MMLONG, files.MMLONG])]
    whole += [files.workbook(("question", "answer", "text"), ("who?", "me", "it is me"))]
    return [*whole, files.archive({"questions.json": json.dumps([files.MMLONG]).encode(), "annual.pdf": files.pdf()})]


def pdf_files() -> list[bytes]:
    """Small whole PDFs: text, a table, a form, a picture, a rotated page, compressed object streams."""
    found = []
    for kind in range(4):
        document = pymupdf.open()
        for number in range(2):
            page = document.new_page(width=300, height=200)
            page.insert_text((20, 40), f"Page {number + 1}: the quick brown fox jumps over the lazy dog.", fontsize=11)
            for line in range(4):
                page.draw_line((20, 60 + 20 * line), (280, 60 + 20 * line))
                page.insert_text((24, 74 + 20 * line), f"{line} {line * 7} {line * 13}", fontsize=9)
            page.draw_rect((200, 120, 280, 180), fill=(0.2, 0.4, 0.8))
        if kind == 1:
            document[0].set_rotation(90)
        if kind == 2:
            field = pymupdf.Widget()
            field.field_type, field.field_name = pymupdf.PDF_WIDGET_TYPE_TEXT, "name"
            field.field_value, field.rect = "filled in", pymupdf.Rect(20, 150, 120, 170)
            document[0].add_widget(field)
        out = io.BytesIO()
        document.save(out, deflate=kind % 2 == 1, use_objstms=int(kind == 3))
        found.append(out.getvalue())
    return found


def records() -> list[bytes]:
    """A recorded run."""
    return [next(filter(None, map(Samples().recorded, Samples().examples))).to_json().encode()]
