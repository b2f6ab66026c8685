"""The constants of SLEUTH, of the systems that it is compared with, and of finding and reading pages."""

from __future__ import annotations

from dataclasses import dataclass

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
