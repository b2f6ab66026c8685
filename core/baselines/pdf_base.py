"""Base: the K best pages in one prompt, one reply.

Source: the row "Base" of SLEUTH's tables: (1) top-K pages by late interaction, (2) all of them in rank order with the
question, (3) one call. How it differs from M3DocRAG is not public; our choice: the plain prompt of MoLoRAG's code here,
M3DocRAG's short-answer prompt there. Retrieval is the project's own, the same for all systems.
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
    yield from answer(under_way, by_rank(under_way), prompts.plain(under_way.question), PDF_PEERS.answer_tokens)
