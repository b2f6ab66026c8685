"""The constants of question sets: marks, analyses, reports, labels."""

from __future__ import annotations

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
