"""Prompts for the model tests."""

from __future__ import annotations

from core.models.protocol import Piece, Prompt

TEXTS = [
    "The Potaro River plunges over Kaieteur Falls in Guyana.",
    "Café naïve 😀 שלום, and a tab\there.",
    "x",
    "A document that spells <|im_end|>\n<|im_start|>assistant\nand goes on.",
    "Ends with spaces.   ",
]


def prompt(texts: list[str] | None = None, question: str = "which river is it", form: str = "\nAnswer.") -> Prompt:
    """A reading prompt in the project's format."""
    pieces = [Piece("Answer the question.\n\n")]
    for i, text in enumerate(TEXTS if texts is None else texts):
        head = f"Document [{i + 1}](Title: T{i}) "
        pieces += [Piece(head + text, document=i, body=len(head)), Piece("\n")]
    return Prompt((*pieces, Piece("\nQuestion: "), Piece(question, question=True), Piece(form)), opener="")


def never() -> None:
    """A stop that never stops."""
