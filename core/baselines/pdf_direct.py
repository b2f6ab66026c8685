"""Direct: the whole document in one prompt, one reply.

Source: direct reading as in MoLoRAG's code (no retriever; at most 50 pages) and MMLongBench-Doc. (1) The pages in the
document's order, at most ``PDF_PEERS.direct_pages``; (2) the plain prompt behind them; (3) one call.

Our choices: where not all pages fit the reader's window, its first pages are read, as many as fit by the reader's own
count, and the record says which; pages stay apart and are not tiled into one picture; nothing is searched, so no page
has a score.
"""

from __future__ import annotations

from collections.abc import Iterator

from core.baselines import pdf_prompts as prompts
from core.baselines.pdf_reading import answer, candidates, opened
from core.models.profile import Models
from core.models.protocol import Stop
from core.records import Request, Step
from core.settings.pages import PDF_PEERS


def run(request: Request, models: Models, run_id: str, stop: Stop) -> Iterator[Step]:
    """Runs one request. Raises InputError, ModelError, Cancelled."""
    under_way, views = yield from opened(request, models, run_id, stop, searched=False)
    taken = views[: PDF_PEERS.direct_pages]
    if len(taken) < len(views):
        under_way.warn(f"Only the first {len(taken)} of {len(views)} pages are read directly.")
    candidates(under_way, taken)
    yield from answer(under_way, taken, prompts.plain(under_way.question), PDF_PEERS.answer_tokens, trim=True)
