"""Four invented handbooks of forty pages: what they say, and questions on which nothing in the project is chosen.

Each question is in other words than its page. A page that misleads has words of the question and does not answer it;
two questions of each handbook have no answer in it.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Fact:
    """A sentence of a handbook, and a question about it in other words."""

    sentence: str
    question: str
    answers: tuple[str, ...]
    """Short strings, one of which a right answer holds."""


@dataclass(frozen=True)
class Handbook:
    """What one document is made of."""

    title: str
    parts: tuple[str, ...]
    """Ten things that have a chapter of four pages each."""
    facts: tuple[Fact, ...]
    rows: tuple[Fact, Fact]
    """Two more facts, of which each stands in the row of a table; ``sentence`` has its cells between bars."""
    heads: tuple[str, ...]
    """Column heads of those tables."""
    other_rows: tuple[str, ...]
    misleading: tuple[str, ...]
    unanswered: tuple[str, str]
    filling: tuple[str, ...]
    """Sentences about any of the parts: {part}, and numbers {a} to {c}."""


HANDBOOKS = (
    Handbook(
        "Brackwater Lido: Handbook for Attendants",
        (
            "paddling pool",
            "diving tower",
            "boiler",
            "sand filter",
            "turnstile",
            "changing hut",
            "water slide",
            "first-aid room",
            "towel store",
            "loudspeaker",
        ),
        (
            Fact(
                "As soon as thunder is heard, bathers are called out, and nobody goes in again for half an hour.",
                "How long is swimming suspended after a storm approaches?",
                ("half an hour", "30 minutes"),
            ),
            Fact(
                "Guests over seventy pay nothing before ten in the morning.",
                "At what age can people enter free of charge early in the day?",
                ("seventy", "70"),
            ),
            Fact(
                "The blue tiles on the steps were laid because the white ones could not be told from foam.",
                "Why was the colour of the stairs changed?",
                ("foam",),
            ),
            Fact(
                "Lost rings and watches are kept by the cashier until the first of November.",
                "Until when are mislaid valuables held?",
                ("first of November", "1 November"),
            ),
        ),
        (
            Fact("Chlorine | 0.6 mg | twice a day", "How often is the disinfectant measured?", ("twice a day",)),
            Fact(
                "Cloudiness | 0.2 units | every third day", "How often is the clearness tested?", ("every third day",)
            ),
        ),
        ("Value", "Bound", "Checked"),
        ("Warmth | 23 degrees | each hour", "Acidity | 7.2 | once a day", "Lime | 12 grades | in May"),
        (
            "A storm tore the awning of the kiosk, and a new one was free of charge.",
            "People of any age like the stairs by the rose bed best.",
            "Valuables of the guests were painted by a student in oil.",
            "Swimming badges are sewn on by the parents, early in the season.",
        ),
        ("Who designed the main entrance hall?", "How much does a season ticket for a family cost?"),
        (
            "The {part} is looked at before opening and entered in the day book, line {a}.",
            "A hose of {b} metres reaches the {part} from the eastern tap.",
            "Two attendants stand at the {part} when a school class of more than {c} comes.",
            "The paint of the {part} is renewed every {a} years, in dry weather.",
            "The key of the {part} hangs on hook {b} in the office.",
            "Children are told about the {part} by a drawing, since not all of them read.",
            "In winter the {part} is covered with boards, {c} of them, and a sheet.",
            "What breaks at the {part} is photographed and reported on form {a}.",
            "The drain below the {part} is cleared of leaves with the long hook.",
            "The {part} came from a firm in Overby and is guaranteed for {b} years.",
        ),
    ),
    Handbook(
        "The Hollin Theatre: Backstage Manual",
        (
            "fly loft",
            "trapdoor",
            "prompt desk",
            "wardrobe",
            "scene dock",
            "thunder sheet",
            "revolve",
            "orchestra pit",
            "limelight gallery",
            "green room",
        ),
        (
            Fact(
                "Whistling is forbidden behind the curtain, for sailors once moved the backdrops on that sign.",
                "What noise must the crew not make, and why?",
                ("whistl",),
            ),
            Fact(
                "An understudy who plays at short notice is given a bouquet and double pay.",
                "What does a replacement performer receive for stepping in?",
                ("bouquet", "double pay"),
            ),
            Fact(
                "The iron curtain comes down within twenty-five seconds and is tried in front of the audience.",
                "How quickly does the fire barrier close?",
                ("twenty-five seconds", "25 seconds"),
            ),
            Fact(
                "Wigs are dried on potatoes, which keep their shape better than wooden heads.",
                "On what vegetable is the hairwork put to dry?",
                ("potato",),
            ),
        ),
        (
            Fact("Moon | lamp 14 | steel blue", "What colour filter serves for the night sky light?", ("steel blue",)),
            Fact("Hearth | lamp 31 | amber", "Which gel makes the fireplace glow?", ("amber",)),
        ),
        ("Effect", "Fitting", "Gel"),
        ("Lightning | lamp 2 | none", "Forest | lamp 9 | moss green", "Dawn | lamp 22 | salmon"),
        (
            "The fire of 1888 began in a bakery across the road.",
            "A noise from the street can be heard on market days; the crew gets used to it.",
            "A filter for coffee is replaced by the porter every day.",
            "The performer of the year receives a silver cup from the town.",
        ),
        ("How many seats does the balcony have?", "Who wrote the first play that was staged here?"),
        (
            "The {part} is checked by {a} hands before the half-hour call.",
            "A load of more than {c} kilograms is not put on the {part}.",
            "The {part} is swept with damp sawdust, so that no dust rises.",
            "Its switch is marked with tape of {b} colours and a number.",
            "When the {part} is in use, the lamp beside it shows red.",
            "Spare ropes for the {part} are kept in basket {a}.",
            "The {part} was rebuilt {b} years ago after plans of the town's architect.",
            "Visitors are shown the {part} on open days, {c} at a time.",
            "Nobody steps over the {part} with a drink in hand.",
            "Notes about the {part} go into the green book, page {c}.",
        ),
    ),
    Handbook(
        "Skerrow Lighthouse: Standing Orders",
        (
            "lantern",
            "fog signal",
            "winch",
            "landing stage",
            "cistern",
            "generator",
            "signal mast",
            "boat house",
            "spiral stair",
            "radio hut",
        ),
        (
            Fact(
                "If the relief boat fails to come for nine days, the biscuit tins in the cellar may be opened.",
                "After what delay can the emergency food be eaten?",
                ("nine days", "9 days"),
            ),
            Fact(
                "The prism on the seaward side is chipped, because a goose flew into it.",
                "What damaged the optics?",
                ("goose",),
            ),
            Fact(
                "In thick weather the horn gives three blasts of two seconds each minute.",
                "What sound warns ships when visibility is poor?",
                ("three blasts",),
            ),
            Fact(
                "The youngest keeper takes the watch from midnight until four.",
                "Who is on duty in the small hours?",
                ("youngest keeper", "the youngest"),
            ),
        ),
        (
            Fact("Paraffin | 400 litres | west shed", "Where is the lamp fuel stored?", ("west shed",)),
            Fact("Flour | 60 kilograms | upper loft", "Where is the baking supply put?", ("upper loft",)),
        ),
        ("Goods", "Stock", "Place"),
        ("Coal | 3 tons | outer yard", "Lamp wicks | 40 | oak chest", "Candles | 200 | kitchen press"),
        (
            "Ships in a bottle are made by the keepers on long evenings.",
            "Food for the hens is bought in the village, after the harvest.",
            "The optics of the human eye were the subject of a talk in the radio hut.",
            "Duty on tobacco is paid at the mainland, in the first hours of the day.",
        ),
        ("In which year was the tower built?", "How far can the beam be seen?"),
        (
            "The {part} is wiped with a chamois leather every {a} days.",
            "Rust on the {part} is scraped off and painted over with red lead, {b} coats.",
            "The {part} is inspected by the board each spring; the report has {c} lines.",
            "In a gale the {part} is lashed with {a} turns of rope.",
            "Oil for the {part} is of grade {b} and comes in cans.",
            "Nobody works at the {part} alone when the sea is rough.",
            "The number of the {part} in the inventory is {c}.",
            "Salt creeps into the {part}; rinse it with rain water.",
            "The {part} has a cover of canvas that lasts {b} winters.",
            "Sketches of the {part} hang beside the door for new keepers.",
        ),
    ),
    Handbook(
        "Corrie Street Bakery: Rules of the House",
        (
            "deck oven",
            "dough trough",
            "proving cupboard",
            "flour silo",
            "slicer",
            "shop window",
            "delivery van",
            "sugar scales",
            "cooling rack",
            "salt bin",
        ),
        (
            Fact(
                "Loaves that are left at closing time go to the night shelter in Dean Lane.",
                "What is done with unsold bread?",
                ("night shelter", "Dean Lane"),
            ),
            Fact(
                "The mother of the rye dough has been fed with the same flour since 1961.",
                "For how long has the sourdough culture been maintained?",
                ("1961",),
            ),
            Fact(
                "Whoever burns a batch sings at the Christmas party.",
                "What penalty is there for spoiling goods in the heat?",
                ("sing",),
            ),
            Fact(
                "Nuts are ground in the yard only, since the master's daughter cannot bear them.",
                "Where must allergens be milled?",
                ("yard",),
            ),
        ),
        (
            Fact("Baguette | 240 degrees | 18 minutes", "How hot is the French stick baked?", ("240",)),
            Fact("Gingerbread | 170 degrees | 12 minutes", "How long do the spiced biscuits stay in?", ("12 minutes",)),
        ),
        ("Kind", "Heat", "Time"),
        ("Rye | 220 degrees | 55 minutes", "Rolls | 230 degrees | 20 minutes", "Plait | 180 degrees | 35 minutes"),
        (
            "The culture of the town is furthered by the guild with a yearly gift.",
            "Bread is written of in a poem beside the till.",
            "A penalty of two pounds is due for parking in front of the gate.",
            "French customers like to sit in the heat of the terrace.",
        ),
        ("What is the telephone number for cake orders?", "Which apprentice won the guild prize?"),
        (
            "The {part} is emptied and brushed out every {a} days.",
            "The belt of the {part} is changed after {c} weeks.",
            "Nobody leans on the {part}, for its feet are weak.",
            "What is weighed at the {part} is written on the slate, column {b}.",
            "The {part} is lit by a lamp of {c} watts.",
            "Apprentices learn the {part} in their month number {a}.",
            "Grease for the {part} must be fit for food.",
            "A mouse trap stands behind the {part}; it is looked at each morning.",
            "The {part} was bought second-hand and has {b} dents.",
            "The mat in front of the {part} is shaken out at noon.",
        ),
    ),
)
