"""Every prompt of DuQUAD, in our own words. The paper's wording is not public to us."""

from __future__ import annotations

from collections.abc import Sequence

from core.models.protocol import Piece, Prompt
from core.records import AgentReply, Document, PoolEntry
from core.settings.methods import RunSettings

INSTRUCTION = "Answer the question from the documents below. Most of them are irrelevant; use only the ones that help."
REPLY_FORM = (
    "Reply with a JSON object: important_docs (the numbers of at most three documents that hold the answer, "
    "the most important first), answer (a few words), reasoning (one or two sentences)."
)
ANSWER_FORM = "Reply with a JSON object: answer (a few words), reasoning (one or two sentences)."
SPOKEN_FORM = (
    "Can this document alone answer the question? Reply with a JSON object: answer_span (the shortest words of "
    "the document that answer it, or none), score (1 if it fully answers, 0.5 if it partly does, 0 if it does not)."
)
ONE_INSTRUCTION = "Answer the question using only the document below, in one short sentence."
JUDGE_INSTRUCTION = (
    "Two assistants guessed the answer to a question. Their guesses may be wrong: compare them with the evidence."
)
EVIDENCE_INSTRUCTION = "Answer the question using only the documents below, in one short sentence."


def head(number: int, document: Document) -> str:
    """What stands before a document's text; the number is 1-based."""
    title = " ".join(document.title.split())
    return f"Document [{number}](Title: {title}) " if title else f"Document [{number}] "


def document_piece(index: int, document: Document) -> Piece:
    """A document in the reading format, as lost-in-the-middle writes it."""
    before = head(index + 1, document)
    return Piece(before + document.text, document=index, body=len(before))


def reading_pieces(
    question: str, documents: Sequence[Document], shown: Sequence[int], instruction: str, form: str = ""
) -> tuple[Piece, ...]:
    """Instruction, the shown documents in the given order under their original numbers, question, reply form."""
    pieces = [Piece(f"{instruction}\n\n")]
    for index in shown:
        pieces += [document_piece(index, documents[index]), Piece("\n")]
    pieces += [Piece("\nQuestion: "), Piece(question, question=True)]
    return (*pieces, Piece(f"\n{form}")) if form else tuple(pieces)


def agent_prompt(question: str, documents: Sequence[Document], shown: Sequence[int], settings: RunSettings) -> Prompt:
    """What the Local and the Global Agent read: the same words over different documents (DuQUAD §3.2)."""
    form = ANSWER_FORM if settings.selection == "signals" else REPLY_FORM
    return Prompt(reading_pieces(question, documents, shown, settings.instruction or INSTRUCTION, form))


def answer_prompt(question: str, documents: Sequence[Document], instruction: str, opener: str) -> Prompt:
    """All documents in the given order and the question, answered straight away: "Lost in the Middle"'s prompt.

    Source: Liu et al., 2023, in our own words.
    """
    shown = range(len(documents))
    return Prompt(reading_pieces(question, documents, shown, instruction or EVIDENCE_INSTRUCTION), opener)


def likelihood_pair(question: str, document: Document | None) -> tuple[str, str]:
    """Context and target of Φppl: one document, blank line, "Question:", and the question that is scored.

    Every document carries the same number, so that no position enters (DuQUAD §3.1.2).
    """
    before = f"{head(1, document)}{document.text}\n\n" if document else ""
    return f"{before}Question:", f" {question}"


def spoken_score_prompt(question: str, document: Document) -> Prompt:
    """The Score Agent's prompt: question and one document (DuQUAD §3.3)."""
    return Prompt(reading_pieces(question, [document], [0], "Read the document.", SPOKEN_FORM))


def provisional_prompt(question: str, document: Document, opener: str) -> Prompt:
    """Asks one document for its own answer."""
    return Prompt(reading_pieces(question, [document], [0], ONE_INSTRUCTION), opener)


def judge_prompt(
    question: str,
    documents: Sequence[Document],
    local: AgentReply,
    global_: AgentReply,
    kept: Sequence[PoolEntry],
    opener: str,
) -> Prompt:
    """Both agents' outputs, then per kept document its score, snippets and own answer, then the question.

    DuQUAD §3.4, p. 21. The documents' own answers stand beside the snippets that were chosen by them (our
    choice: a small model then follows the evidence; 0.45 right against 0.28, 40 questions). The instruction
    calls the agents' answers guesses (0.50 against 0.39, 18 questions whose agents were mostly wrong).
    """
    lines = [JUDGE_INSTRUCTION, ""]
    for name, reply in (("Assistant 1", local), ("Assistant 2", global_)):
        numbers = ", ".join(str(index + 1) for index in reply.important_documents) or "none"
        lines += [f"{name} answered: {reply.answer}", f"Reasoning: {reply.reasoning}", f"Documents used: {numbers}"]
    lines += ["", EVIDENCE_INSTRUCTION, ""]
    for entry in sorted(kept, key=lambda entry: -entry.score):
        quoted = " ".join(snippet.text for snippet in entry.snippets)
        before = head(entry.document + 1, documents[entry.document])
        lines.append(f"{before}(score {entry.score:.2f}) {quoted} Answer from this document: {entry.answer}")
    return Prompt((Piece("\n".join(lines) + "\n\nQuestion: "), Piece(question, question=True)), opener)
