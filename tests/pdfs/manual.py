"""A manual of a hundred pages: one answer on page 63, and a table on page 12 that looks like it."""

from __future__ import annotations

import random

from tests.pdfs.paper import Paper

TITLE = "Kestrel 400 Weather Station: Operator's Manual"
ANSWER_PAGE = 63
DISTRACTOR_PAGE = 12
QUESTIONS = (
    {
        "question": "How long must the pressure sensor of the Kestrel 400 rest after its housing was opened?",
        "answers": ["45 minutes", "forty-five minutes"],
        "gold": [ANSWER_PAGE - 1],
    },
    {
        "question": "Which part of the Kestrel 400 must never be cleaned with alcohol?",
        "answers": ["the dome of the sunshine recorder", "the dome", "the dome of the sunshine recorder (acrylic)"],
        "gold": [46],
    },
    {
        "question": "What does the station's lamp do when the clock has lost its time signal?",
        "answers": ["it blinks twice every ten seconds", "blinks twice every ten seconds"],
        "gold": [82],
    },
)
_UNITS = (
    ("mast", "the foundation"),
    ("guy wires", "the mast"),
    ("thermometer", "the screen"),
    ("radiation screen", "the upper arm"),
    ("humidity probe", "the screen"),
    ("rain gauge", "the lower arm"),
    ("rain gauge heater", "the rain gauge"),
    ("wind vane", "the mast head"),
    ("anemometer", "the mast head"),
    ("snow depth sensor", "the lower arm"),
    ("soil thermometers", "the measuring field"),
    ("sunshine recorder", "the upper arm"),
    ("lightning rod", "the mast head"),
    ("cable duct", "the mast"),
    ("junction box", "the mast foot"),
    ("barometer", "the logger cabinet"),
    ("data logger", "the logger cabinet"),
    ("memory cards", "the data logger"),
    ("radio modem", "the logger cabinet"),
    ("antenna", "the mast"),
    ("station clock", "the data logger"),
    ("solar panel", "the south side of the mast"),
    ("battery", "the lower cabinet"),
    ("cabinet heater", "the lower cabinet"),
)
_ABOUT = (
    "The {unit} is fixed to {place} and weighs {a}.{b} kilograms with its bracket.",
    "It is delivered in box {a} together with {b} screws and a bag of desiccant.",
    "Its serial number is stamped on the underside and must be entered in the station book.",
    "Stations delivered before the year 20{c} carry an earlier form of the {unit}, which is not described here.",
    "The {unit} may be used at temperatures from minus {c} to plus {d} degrees.",
    "Two people are needed to lift it; one of them holds {place} steady.",
    "Its connector has {a} pins, of which pin {b} is earth.",
    "The maker guarantees the {unit} for {b} years if the seal is unbroken.",
    "A drawing of the {unit} with all part numbers is found in the parts catalogue, sheet {c}.",
    "Where several stations stand in one network, mark the {unit} with the number of its station.",
)
_FITTING = (
    "Switch the station off and wait until the lamp on the logger is dark.",
    "Hold the {unit} against {place} and turn in the upper screws by hand.",
    "Tighten all screws crosswise to {a} newton metres with the torque key.",
    "Lay the cable in a loop below the connector, so that rain drips off before it reaches the plug.",
    "Set the {unit} level; the bubble must stand within the inner ring.",
    "Coat the thread with grease number {b} before the cover is closed.",
    "Keep a distance of at least {c} centimetres to the next metal part.",
    "Enter the new {unit} in the menu under Devices, line {a}.",
    "Check that the reading changes within {d} seconds after the {unit} was connected.",
    "Write the date of fitting on the label inside the door.",
)
_CARE = (
    "Look at the {unit} every {a} weeks and after each storm.",
    "Remove leaves, webs and salt with a soft brush and lukewarm water.",
    "Replace the seal every {b} years, even if it looks sound.",
    "Compare the {unit} with the travelling standard once a year, in the month of {month}.",
    "If the difference exceeds {a} tenths, send the {unit} to the workshop.",
    "Never use pressure cleaners near {place}.",
    "Turn the plug by a quarter and look for green traces of corrosion.",
    "Tighten the screws again after the first {c} days of frost.",
    "Enter what was done, and by whom, in the station book on sheet {b}.",
    "Spare seals are kept for ten years; order them by the number on the old seal.",
)
_FAULTS = (
    "No reading: check the plug, then fuse F{a} in the junction box.",
    "The reading jumps: the cable of the {unit} is worn; replace it in one piece.",
    "The reading stays the same for more than {c} hours: tap on the housing of the {unit} lightly.",
    "Fault code E{d}: the {unit} draws too much current. Disconnect it and call the service.",
    "Water in the housing: open the drain, let the {unit} dry indoors for {a} days.",
    "Readings fail only at night: measure the voltage at {place}; it must exceed {b} volts.",
    "The menu does not list the {unit}: update the logger to version {a}.{b}.",
    "Insects in the housing: fit the fine mesh, part K4-{c}{d}.",
    "After a lightning strike nearby the {unit} is to be replaced even if it still works.",
    "If none of this helps, note the last {c} readings and send them to the maker.",
)
_MONTHS = ("April", "May", "June", "September", "October")
_KINDS = (("Description", _ABOUT), ("Fitting", _FITTING), ("Care", _CARE), ("Faults", _FAULTS))


def manual() -> Paper:
    """The document; the station does not exist."""
    chance = random.Random(400)
    paper = Paper(TITLE, "Kestrel 400 · Operator's Manual · a fictional product")
    for number in range(1, 101):
        paper.turn()
        if number <= 2 or number >= 99:
            _frame_page(paper, number)
        else:
            _unit_page(paper, number, chance)
    return paper


def _frame_page(paper: Paper, number: int) -> None:
    if number == 1:
        paper.y = 220
        paper.heading("Kestrel 400", 32)
        paper.heading("Weather station · Operator's manual", 16)
        paper.paragraph("Edition 7. Keep this manual in the logger cabinet. Neither the station nor its maker exists.")
    elif number == 2:
        paper.heading("Contents")
        for at, (unit, _) in enumerate(_UNITS):
            paper.paragraph(f"{at + 1}  {unit.capitalize()}, pages {4 * at + 3} to {4 * at + 6}", 10)
    elif number == 99:
        paper.heading("Disposal")
        paper.paragraph(
            "Return the battery and the memory cards to the maker. The mast is aluminium and can be melted."
        )
    else:
        paper.heading("Address of the service")
        paper.paragraph("Kestrel Instruments, Mill Lane 9, Overby. Write the number of your station on every letter.")


def _unit_page(paper: Paper, number: int, chance: random.Random) -> None:
    at, part = divmod(number - 3, 4)
    unit, place = _UNITS[at]
    kind, templates = _KINDS[part]
    paper.heading(f"{at + 1}.{part + 1}  {unit.capitalize()}: {kind}")
    if number == DISTRACTOR_PAGE:
        _settling_times(paper)
        return
    values = {"unit": unit, "place": place, "month": chance.choice(_MONTHS)}
    numbers = [
        {"a": chance.randint(2, 9), "b": chance.randint(3, 8), "c": chance.randint(11, 29), "d": chance.randint(31, 59)}
        for _ in templates
    ]
    said = [text.format(**values, **found) for text, found in zip(templates, numbers, strict=True)]
    chance.shuffle(said)
    said = said[:8]
    if number in _SPECIAL:
        said.insert(4, _SPECIAL[number])
    if part == 0:
        paper.paragraph(" ".join(said[:4]))
        paper.paragraph(" ".join(said[4:]))
    else:
        paper.items(said)
    if part == 3:
        rows = [["Code", "Lamp", "Measure"]]
        rows += [
            [f"E{chance.randint(60, 99)}", chance.choice(("steady", "off", "fast")), f"see line {n}"] for n in (1, 4, 6)
        ]
        paper.table(rows)


_SPECIAL = {
    ANSWER_PAGE: "Whenever the case of the barometer has been open, let the closed instrument stand for 45 minutes "
    "before you trust what it shows: the air inside has to reach the warmth of the cabinet.",
    47: "The dome of the sunshine recorder is acrylic: wipe it with soapy water and keep spirit and other alcohol away "
    "from it, which would make it go blind.",
    83: "When no signal of the time service was received for a day, the lamp gives two short flashes every ten "
    "seconds and the clock runs on by its quartz.",
}


def _settling_times(paper: Paper) -> None:
    paper.paragraph(
        "The thermometer needs no rest after fitting. For stations of the older series, which are still in use beside "
        "the Kestrel 400, the following times apply after a housing has been opened."
    )
    paper.caption("Table 1: Rest after opening the housing, older series only")
    paper.table(
        [
            ["Instrument", "Kestrel 200", "Kestrel 300"],
            ["Thermometer", "5 minutes", "none"],
            ["Humidity probe", "30 minutes", "25 minutes"],
            ["Pressure sensor", "90 minutes", "20 minutes"],
            ["Rain gauge", "none", "none"],
            ["Snow depth sensor", "10 minutes", "10 minutes"],
        ]
    )
    paper.paragraph("The times of the Kestrel 400 are found in the chapter of each instrument.")
