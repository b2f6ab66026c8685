"""DuQUAD's view of the candidate pages: the same documents, read by the backbone in one prompt, and ranked by SFS."""

from __future__ import annotations

from core.duquad.fusion import rank
from core.duquad.prompts import agent_prompt
from core.duquad.signals import assemble, query_likelihoods, read_all, semantic_relevance
from core.models.protocol import ModelError, PromptTooLong, Reading
from core.records import Document
from core.sleuth.signals import EMPTY, cut
from core.sleuth.state import Run

_SHORTER = 0.7  # what is left of a page's text at each try to fit all pages into the window
_SHORTEST = 200  # characters; below that a page says nothing


def measure(run: Run) -> None:
    """Adds signals and ranking of the candidate pages to the record; see ``disagreement`` for what they contradict.

    The answer does not depend on this view, so what goes wrong with it is a warning.
    """
    try:
        documents, reading = _read(run)
        if all(document.page in run.nll for document in documents):
            nll = tuple(run.nll[document.page] for document in documents if document.page is not None)
            nll_empty = run.nll[EMPTY]
        else:
            nll, nll_empty = query_likelihoods(run.models, run.question, documents, run.log, run.stop)
        semantic = semantic_relevance(run.models, run.question, documents, run.log, run.stop)
        signals = assemble(reading, nll, nll_empty, semantic, run.record.settings)
    except ModelError as error:
        run.warn(f"DuQUAD's view of the pages could not be measured: {error}")
        return
    run.grow(signals=signals, ranking=rank(signals, run.record.settings))


def _read(run: Run) -> tuple[list[Document], Reading]:
    """All candidate pages in one prompt, each cut to the same length until they fit. Raises ModelError."""
    whole = run.record.documents
    documents = [cut(document, run.models) for document in whole]
    most = max(len(document.text) for document in documents)
    while True:
        prompt = agent_prompt(run.question, documents, range(len(documents)), run.record.settings)
        try:
            reading = read_all(run.models, prompt, 0, run.log, run.stop)
        except PromptTooLong:
            most = int(most * _SHORTER)
            if most < _SHORTEST:
                raise
            documents = [document.model_copy(update={"text": document.text[:most]}) for document in documents]
            continue
        longer = sum(len(before.text) > len(after.text) for before, after in zip(whole, documents, strict=True))
        if longer:
            run.warn(
                f"DuQUAD's view reads the beginning of {longer} candidate pages, so that all fit the model's window."
            )
        return documents, reading
