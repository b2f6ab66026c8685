"""M3DocRAG: the K best pages in rank order with a short-answer prompt, one reply.

Source: M3DocRAG (bloomberg/m3docrag), closed domain: (1) exact late interaction over all pages of the document; (2) the
K best in rank order (its code's default is 1; 5 as SLEUTH ran it); (3) the question and that nothing but the answer is
wanted; (4) one call of at most 128 new tokens.

Our choices: retrieval is the project's own, the same for all systems; pages are drawn in their own size, where its code
resizes those of odd size to the document's most frequent one.
"""

from __future__ import annotations

from collections.abc import Iterator

from core.baselines import pdf_prompts as prompts
from core.baselines.pdf_reading import answer, by_rank, opened
from core.models.profile import Models
from core.models.protocol import Stop
from core.records import Request, Step
from core.settings.pages import PDF_PEERS


def run(request: Request, models: Models, run_id: str, stop: Stop) -> Iterator[Step]:
    """Runs one request. Raises InputError, ModelError, Cancelled."""
    under_way, _ = yield from opened(request, models, run_id, stop)
    yield from answer(under_way, by_rank(under_way), prompts.short(under_way.question), PDF_PEERS.short_tokens)
