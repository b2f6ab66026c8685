"""Six scanned pages without a text layer: minutes of a society that never was."""

from __future__ import annotations

import pymupdf

from tests.pdfs.paper import SERIF, Paper, scanned

TITLE = "Vennwick Allotment Society: Minutes of the Year 1987"
QUESTIONS = (
    {
        "question": "What was bought with the money that the summer fair brought in?",
        "answers": ["a second-hand rotary tiller", "rotary tiller"],
        "gold": [3],
    },
    {
        "question": "Why did the society lock the pump in the dry weeks?",
        "answers": ["because the well had fallen below four metres", "the well had fallen below four metres"],
        "gold": [2],
    },
    {
        "question": "Who was elected treasurer at the last meeting of the year?",
        "answers": ["Edda Brandes", "Mrs Edda Brandes"],
        "gold": [5],
    },
)
_MEETINGS = (
    (
        "Meeting of 14 January 1987",
        "Present: 31 members. In the chair: Mr Konrad Hale. Minutes: Miss Ottilie Marsh.",
        "The chairman opened the meeting at half past seven and welcomed three new members, who have taken over the "
        "plots 17, 22 and 40. Plot 40 has lain fallow for two years and is given free of rent until midsummer.",
        "The frost of the past week has burst the pipe to the upper gardens. Mr Pell offers to mend it with parts from "
        "his workshop once the ground can be dug. The meeting thanks him.",
        "It was asked whether bees may be kept on the plots. Eleven members spoke for it and nine against. The "
        "chairman asked for patience until a rule has been drafted.",
    ),
    (
        "Meeting of 11 March 1987",
        "Present: 27 members. In the chair: Mr Konrad Hale. Minutes: Miss Ottilie Marsh.",
        "The rule on bees was read and adopted: no more than two hives on a plot, and none within ten paces of the "
        "path. Mr Quast and the Lenz family have said that they will begin in May.",
        "The order for seed potatoes was put together: nine hundredweight of Arran Pilot and four of King Edward. "
        "They are to be fetched from the station on the last Saturday of March. Carts are welcome.",
        "The hedge along the railway has grown into the signal wires. The railway has written twice. It was agreed to "
        "cut it on two evenings in April, before birds nest in it.",
    ),
    (
        "Meeting of 8 July 1987",
        "Present: 38 members. In the chair: Mr Konrad Hale. Minutes: Miss Ottilie Marsh.",
        "No rain has been measured since 2 June. On 30 June the well had fallen below four metres, and the committee "
        "put a lock on the pump. Water is now given out from six to eight in the evening, two cans to a plot.",
        "Mrs Brandes asked that widows and the sick may send a neighbour for their cans. This was granted without a "
        "vote. The committee will look every Sunday whether the lock can be taken off.",
        "Thefts of gooseberries have been reported by five plots. A watch by turns was proposed and found no majority.",
    ),
    (
        "Meeting of 9 September 1987",
        "Present: 44 members. In the chair: Mr Konrad Hale. Minutes: Miss Ottilie Marsh.",
        "The fair on 15 August was the largest so far. Cakes, honey and the tombola brought in 412 pounds after "
        "costs. By 28 votes to 16 it was decided to buy a second-hand rotary tiller from the estate of the late Mr "
        "Groome, for 380 pounds. It stands in the shed and is lent out by the half day.",
        "The other proposals were a greenhouse, which found 12 votes, and a new sign at the gate, which found 4.",
        "The lock has been off the pump since 22 August. The chairman thanked all for their patience and the Lenz "
        "family for the use of their cistern.",
    ),
    (
        "Meeting of 14 October 1987",
        "Present: 29 members. In the chair: Mrs Harriet Voss. Minutes: Miss Ottilie Marsh.",
        "Mr Hale is in hospital after a fall and sends his regards. Mrs Voss took the chair in his place.",
        "Club root has been found on the plots 3, 4 and 5. No cabbage of any kind is to be planted there for seven "
        "years. Lime is held in store and is free for those concerned.",
        "The prize for the heaviest marrow goes to Mr Pell for one of 41 pounds. He gave it to the infirmary.",
    ),
    (
        "Meeting of 9 December 1987",
        "Present: 52 members. In the chair: Mr Konrad Hale. Minutes: Miss Ottilie Marsh.",
        "Elections were held. Mr Konrad Hale remains chairman with 49 votes. Since Mr Quast gave up the cash box for "
        "reasons of health, Mrs Edda Brandes was chosen as treasurer with 33 votes, against 17 for Mr Pell. Miss Marsh "
        "goes on as secretary.",
        "The accounts close with 216 pounds in hand. They were looked through by Mr Lenz and Miss Adair and found "
        "right.",
        "The rent stays at six pounds a plot. The meeting ended at ten with a song.",
    ),
)


def minutes() -> pymupdf.Document:
    """The pages as a scanner gives them."""
    paper = Paper(TITLE, "Vennwick Allotment Society (a fictional society)", font=SERIF)
    for heading, *paragraphs in _MEETINGS:
        paper.turn()
        paper.y += 20
        paper.heading(heading, 17)
        for text in paragraphs:
            paper.paragraph(text, 13)
            paper.y += 6
    return scanned(paper.document, TITLE, seed=1987)
