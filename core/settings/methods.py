"""The constants of DuQUAD, of the systems that it is compared with, and of the lab; what a run may be set to."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from core.settings.kinds import DocScoreKind, SelectionKind

Norm = Literal["zscore", "minmax", "none"]
Fuse = Literal["sum_of_softmax", "softmax_of_sum"]
LayerSet = Literal["all", "last_half", "last"] | tuple[int, ...]
HeadSet = Literal["mean", "max"] | tuple[int, ...]
HeadPairs = tuple[tuple[int, int], ...]
PoolAnswers = Literal["kept", "all"]
Fallback = Literal["best", "empty"]

SYSTEM_TEXT = "You are a careful assistant that answers questions from documents."  # our choice
SHARED_CACHES = 2  # read prompts whose caches a comparison keeps; our choice: one of 3,000 tokens takes about 140 MB
MOST_COMPARED = 6  # systems in one comparison; our choice: as many columns as can be read side by side
MAX_IMPORTANT = 3  # documents an agent may name; DuQUAD §3.3
# The likelihood kind of DocScore: a class-balanced logistic, fitted on the first 50 NQ-pool-20 questions
# over the four best documents by SFS of each. On the other 50: AUC 0.95, keeps 92 % of gold and drops 77 %
# of the rest at tau = 0.4.
DOCSCORE_BIAS = 0.6
DOCSCORE_SLOPE = 17.0  # per unit of log(rival's Φppl / own Φppl)
RRF_K = 60  # of reciprocal rank fusion; DuQUAD App. A, after Cormack et al. 2009
FIM_TEMPERATURE = 5e-5  # of the softmax over calibrated relevance; Found in the Middle §3.2
COMPRESSION_SEGMENT = 200  # tokens compressed together; the default of llmlingua 0.2.2 (iterative_size)
COMPRESSION_SPARE = 100  # tokens added to the budget of the coarse step; the same (context_budget "+100")
COMPRESSION_SLOPE = 0.3  # how far the best document's share lies above the mean; the package's recipe for questions
ANSWER_CHARS = 80  # longest answer of an agent's reply; our choice: a few words
REASONING_CHARS = 240  # longest reasoning; our choice: two sentences
SNIPPETS_PER_DOCUMENT = 2  # sentences kept per document; DuQUAD §3.3
SWEEP_DIGITS = 4  # the same in a sweep, which has as many profiles as places; our choice: the file stays small
SWEEP_TOGETHER = 5  # answers of a sweep that are decoded together; our choice: as many caches are held in memory
LENGTHS = (5, 10, 20, 30)  # documents in one prompt; "Lost in the Middle" §2.1 takes 10, 20, 30, 5 is our choice
SEEDS = (1, 2, 3)  # orders of the distractors; our choice: the fewest that show a spread
FIX_PLACES = 3  # places of gold that are fixed where none is named: first, middle, last; our choice
ATTENTION_DIGITS = 6  # significant digits kept in a record; our choice: below bf16's resolution of 3


class PdfSettings(BaseModel):
    """What one run over a PDF may vary; the switches give the variants of SLEUTH's Table 3."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    top_k: int = Field(5, ge=1, le=20)
    """Candidate pages; SLEUTH §4.1 (best average at 5)."""
    neighbours: int = Field(0, ge=0, le=2)
    """Pages on either side of each hit that are read as well; our choice: an answer may run over a page break."""
    clue: bool = True
    """Clue Discovery (C)."""
    screening: bool = True
    """Page Screening (P); off keeps no page image (the variant C)."""
    difficulty: bool = True
    """Difficulty Assessment (D); off decides with no instructions."""
    put_back: tuple[int, ...] = Field((), max_length=20)
    """0-based pages that a person puts back after screening."""
    agents: SelectionKind | None = None
    """How the page agents say what they found: in words (SLEUTH §3), or read off likelihoods and overlap.
    None takes the profile's own."""
    duquad: bool = True
    """Whether DuQUAD's signals of the candidate pages are measured as well."""
    ocr: Literal["auto", "off", "all"] = "auto"
    """Which pages are read by OCR: those without a usable text layer, none, or all."""
    clue_tokens: int = Field(1024, ge=16, le=4096)
    """Most new tokens of a clue reply; not public, our choice."""
    screening_tokens: int = Field(256, ge=8, le=2048)
    difficulty_tokens: int = Field(512, ge=16, le=4096)
    decision_tokens: int = Field(512, ge=16, le=32_768)
    thinking_tokens: int = Field(8192, ge=64, le=40_000)
    """Most new tokens of a Thinking model's decision; not public, our choice."""


class BaselineSettings(BaseModel):
    """What the systems that DuQUAD is compared with may vary."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    dummy: Literal["each", "together"] = "each"
    """How Found in the Middle measures what a place draws: a content-free document at one place after another
    (§2.1), or at all places in a single pass, an approximation of ours that costs 1 pass in place of N."""
    rate: float = Field(0.5, gt=0, le=1)
    """Share of the prompt's tokens that LongLLMLingua keeps; the package's default."""
    bar: float = Field(0.0, ge=-3, le=3)
    """n of MAIN-RAG's bar, mean - n * deviation; 0 is the plain mean, our choice: no value is published."""
    readers: int = Field(5, ge=1, le=10)
    """Agents of Tree of Agents; its code's default, and what its published call count implies."""
    helpers: int = Field(2, ge=0, le=4)
    """Other readers whose chunks one reader may ask for. Our choice: 2 bound a tree of five readers to 20 walks, 4
    to 320; the published count implies about 8."""


class RunSettings(BaseModel):
    """What one run may vary. The page's what-if controls move the first group with no model call."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    alpha: float = Field(0.5, ge=0, le=10)
    """Weight of semantic relevance in SFS; DuQUAD §3.1.4."""
    beta: float = Field(1.0, ge=0, le=10)
    """Weight of structural inference (query likelihood) in SFS; DuQUAD §3.1.4."""
    gamma: float = Field(0.5, ge=0, le=10)
    """Weight of attention contrast in SFS; DuQUAD §3.1.4."""
    norm: Norm = "zscore"
    """Standardising of each signal before its softmax; our choice: raw contrast is about 1e-4 and its
    softmax is flat (SFS recall@1 on NQ-pool-20: 0.76 z-scored, 0.65 raw)."""
    fuse: Fuse = "sum_of_softmax"
    """How the three are fused; DuQUAD §3.1 ("weighted softmax fusion")."""
    k: int = Field(6, ge=1, le=200)
    """Documents that the Local Agent reads; DuQUAD §3.2, App. D."""
    tau: float = Field(0.4, ge=0, le=1)
    """DocScore at which a document is kept; DuQUAD App. C."""
    fallback: Fallback = "best"
    """What the gate keeps when nothing reaches tau; not public, our choice: the best-scored one."""
    layers: LayerSet = "all"
    """Layers whose attention is averaged; not public, our choice: all, as Found in the Middle §2.1."""
    heads: HeadSet = "mean"
    """Heads that are averaged inside those layers (or their maximum); as above."""
    head_set: HeadPairs = ()
    """Single heads as (layer, head), 0-based, averaged in place of ``layers`` and ``heads``; empty leaves it to
    those two. Chosen in the position lab: heads differ much in how well they find evidence."""
    docscore: DocScoreKind | None = None
    """How a document is scored: spoken by the model (DuQUAD §3.3) or built from likelihoods.
    None takes the profile's own."""

    selection: SelectionKind | None = None
    """How an agent's important documents are found: named by the model (DuQUAD §3.3) or read off the signals.
    None takes the profile's own."""

    pool_answers: PoolAnswers = "kept"
    """Which candidates are asked for their own answer where likelihoods score them; spoken scores come with one.
    Our choice: those that the gate keeps, since nothing reads the others' answers. That leaves DuQUAD about four
    calls, as many as its paper's ratios imply (App. E)."""
    instruction: str = Field("", max_length=2000)
    """A sentence put before the documents in place of the default instruction; empty keeps it."""
    agent_tokens: int = Field(160, ge=16, le=2048)
    """Most new tokens of an agent's reply; not public, our choice: the schema's longest reply fits."""
    score_tokens: int = Field(32, ge=4, le=512)
    """Most new tokens of a provisional answer (or a spoken score); not public, our choice."""
    judge_tokens: int = Field(48, ge=4, le=2048)
    """Most new tokens of the final answer; not public, our choice: one short line."""
    pdf: PdfSettings = PdfSettings()
    """Of runs over a PDF; of no use to the others."""
    read_top: int | None = Field(None, ge=1, le=200)
    """How many documents the reader of a ranking system gets, best first. Not public; our choice: all of them."""
    baselines: BaselineSettings = BaselineSettings()
    """Of the systems that DuQUAD is compared with."""
