"""Ten invented subjects: facts with a question in other words each, sentences that mislead, and sentences that fill."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Topic:
    """What one document of the evidence set is made of."""

    title: str
    scanned: bool
    facts: tuple[tuple[str, str], ...]
    """(sentence of the document, question about it in other words)."""
    misleading: tuple[str, ...]
    """Sentences that use words of the questions and answer none."""
    filling: tuple[str, ...]


TOPICS = (
    Topic(
        "The Ormsby Canal: A Guide for Lock Keepers",
        False,
        (
            (
                "Gates are shut once the gauge at Pell Mill stands above 2.1 metres.",
                "At what water level does traffic stop?",
            ),
            ("A keeper earns a day of leave for every nine nights on call.", "How do staff get extra holidays?"),
            (
                "The lower chamber leaks because its sill was cast in a hard frost.",
                "What caused the seepage in the basin?",
            ),
            ("Swans that nest on the towpath are fenced off until July.", "How are birds protected in breeding time?"),
        ),
        (
            "Holidays of the boatmen are a matter of their own guild.",
            "Traffic on the parallel road stops every Sunday.",
            "The basin at Ormsby town was dug for timber rafts.",
            "Birds of prey have been painted on the lock house.",
        ),
        (
            "Paddles are wound slowly, so that no boat is thrown against the wall.",
            "The windlass hangs in the hut and is greased in spring.",
            "Boats are entered in the book with their name and their draught.",
            "Two lamps mark the upper gate after dusk.",
            "The rope on the left bank is for swimmers in distress.",
            "Weeds are raked from the grid each morning.",
            "A boat of more than sixteen metres turns in the wide above the bridge.",
            "Tolls are paid at the office in coin or by card.",
            "The telephone in the hut reaches the next lock only.",
            "Oak is kept under water for two years before a beam is cut.",
        ),
    ),
    Topic(
        "Handbook of the Saltmarsh Nursery School",
        False,
        (
            (
                "Children may be fetched by a neighbour whose name was left at the desk in writing.",
                "Who else can collect a pupil?",
            ),
            (
                "A child with a temperature stays at home for a full day after it has gone.",
                "How long is someone kept away with fever?",
            ),
            (
                "Wellingtons are worn indoors on Thursdays, when the floor is waxed.",
                "On which weekday do the pupils keep their boots on?",
            ),
            (
                "The big swing was taken down after a chain link had opened.",
                "Why is one piece of the playground missing?",
            ),
        ),
        (
            "Boots left behind are given away on the last day of the term.",
            "A pupil of the upper school reads aloud on Mondays.",
            "Fever was the subject of a talk by Dr Imran in autumn.",
            "The playground is swept by the caretaker before eight.",
        ),
        (
            "Breakfast is laid on the long table by the window.",
            "Each group has a colour and an animal.",
            "Songs are sung in a circle before the meal.",
            "Blankets are washed on Fridays and aired in the yard.",
            "Parents bake for the fair in June.",
            "The rabbit is fed by the group whose turn it is.",
            "Scissors are counted before and after the craft hour.",
            "A drawer for each child holds its pictures.",
            "The garden gate is closed with two latches.",
            "Letters to parents are pinned to the green board.",
        ),
    ),
    Topic(
        "Tarnwick Observatory: Report of the Night Staff",
        True,
        (
            (
                "The dome sticks when the wind comes from the north-east and must be turned by hand.",
                "When does the roof need to be moved manually?",
            ),
            ("Plates of 1931 were ruined by a burst water pipe in the cellar.", "What destroyed the old photographs?"),
            (
                "The comet was first seen by the cook, who had gone out for coal.",
                "Which member of the household made the discovery?",
            ),
            (
                "Lenses are cleaned with rain water, since the well holds too much lime.",
                "Why is water from the ground not used on glass?",
            ),
        ),
        (
            "The roof of the stable was covered with slate in May.",
            "Old photographs of the founders hang in the stairs.",
            "A discovery of Roman coins was made when the road was cut.",
            "Glass for the windows came from a factory at Lund.",
        ),
        (
            "Clouds covered the sky from ten until three.",
            "The clock was compared with the signal at noon.",
            "Visitors came in three groups and kept quiet.",
            "The log is written in ink and never corrected.",
            "Mars stood low and trembled in the eyepiece.",
            "The stove in the computing room smokes.",
            "Frost had formed on the finder by two o'clock.",
            "A fox walked over the terrace at dawn.",
            "New batteries were put into the lamps.",
            "The weather was written down every half hour.",
        ),
    ),
    Topic(
        "Rules of the Bryn Mountain Rescue",
        False,
        (
            (
                "A search is broken off when two leaders agree that the snow may slide.",
                "Under what condition do the helpers turn back?",
            ),
            ("Dogs rest for as long as they have worked.", "How much pause do the animals get?"),
            (
                "The red flare means that the casualty has been found alive.",
                "Which signal tells that somebody survived?",
            ),
            ("New members carry no radio in their first winter.", "What equipment are beginners not given?"),
        ),
        (
            "Animals that stray onto the road are reported to the farmer.",
            "Beginners train on the quarry wall on Tuesdays.",
            "The signal post at the summit was struck by lightning.",
            "Helpers from the valley are paid for their petrol.",
        ),
        (
            "The hut key lies with the baker.",
            "Ropes are thrown away after five years or one fall.",
            "Boots are dried with newspaper, never at the stove.",
            "The stretcher is carried by eight and steered by two.",
            "Maps are folded so that the sector lies on top.",
            "Tea is made before anyone is asked anything.",
            "Batteries are kept in an inner pocket.",
            "The list on the door shows who is on the hill.",
            "Every call is written down with the minute.",
            "Helicopters are met with the wind in the back.",
        ),
    ),
    Topic(
        "The Greylag Cheese Dairy: Working Instructions",
        False,
        (
            (
                "Rennet is added once the milk has reached 31 degrees.",
                "How warm must it be before the curdling agent goes in?",
            ),
            (
                "Wheels that ring hollow when tapped are sold to the soup kitchen.",
                "What happens to cheeses with a hole inside?",
            ),
            ("Brine is thrown out after the fortieth bath.", "How often can the salt solution be used again?"),
            (
                "The north cellar is locked at Easter, when blue mould is brought in.",
                "Which room is closed in spring and why?",
            ),
        ),
        (
            "The salt is delivered in sacks of twenty kilograms.",
            "Cheeses of the neighbouring dairy are sold in the same shop.",
            "An agent visits the farms twice a year.",
            "In spring the herd is driven to the upper meadow.",
        ),
        (
            "Cloths are boiled for ten minutes and dried in the sun.",
            "The copper is scrubbed with whey and sand.",
            "Curd is cut to the size of hazelnuts.",
            "Every wheel bears its date in the rind.",
            "Shelves of spruce are washed without soap.",
            "The cat is not let into the making room.",
            "Evening milk is skimmed by hand.",
            "Buyers taste from the middle of the wheel.",
            "Butter is wrapped in pairs.",
            "Whey is fetched by the pig farmer at noon.",
        ),
    ),
    Topic(
        "House Rules of the Calder Street Library",
        True,
        (
            (
                "Newspapers older than a month are bound and moved to the attic.",
                "Where do back issues of the press go?",
            ),
            (
                "Fines are forgiven on the birthday of the reader.",
                "When does somebody not have to pay for late returns?",
            ),
            (
                "Whoever breaks a spine repairs a book in the workshop for an evening.",
                "What is the consequence of damaging a volume?",
            ),
            (
                "The reading lamps go out by themselves twenty minutes before closing.",
                "How are visitors warned that the building is about to shut?",
            ),
        ),
        (
            "The building was a hat factory until 1922.",
            "A volume of maps is shown in the entrance.",
            "The press wrote kindly about the children's room.",
            "Late returns of the year were counted by a trainee.",
        ),
        (
            "Coats are hung on the hooks by the door.",
            "Two chairs stand at each window.",
            "Pencils may be borrowed at the counter.",
            "The catalogue has been typed on cards.",
            "Stories are read aloud on Saturdays.",
            "Dogs wait outside, where there is a bowl.",
            "The stove is lit from October on.",
            "Atlases lie flat on the lowest shelf.",
            "Readers sign the book with name and street.",
            "New titles stand for a week on the round table.",
        ),
    ),
    Topic(
        "Diving with the Halvard Club: Safety Booklet",
        False,
        (
            ("Below eighteen metres each pair carries a spare bottle.", "From which depth is extra air compulsory?"),
            (
                "Whoever has had a cold waits six days before the next descent.",
                "What is the delay after an infection of the nose?",
            ),
            (
                "The wreck of the Solveig is off limits, as its deck gives way.",
                "Which site may not be visited, and for what reason?",
            ),
            ("A rubbed mask is rinsed with spit and not with dish soap.", "How does one keep the visor from misting?"),
        ),
        (
            "Air is sold at the kiosk in the harbour.",
            "The site of the club house belongs to the parish.",
            "Infection of wounds by sea urchins is rare.",
            "The depth of the harbour is three metres.",
        ),
        (
            "Hands are used to speak: thumb up means to rise.",
            "The boat leaves the pier at nine.",
            "Suits are hung inside out to dry.",
            "Lead belts are laid down, never dropped.",
            "The log is signed by both partners.",
            "Weather is read from the board at the pier.",
            "Hot soup is ready at the return.",
            "Fins are put on while sitting.",
            "Seals are watched from ten metres away.",
            "Knives are worn on the inner leg.",
        ),
    ),
    Topic(
        "The Marrow Hill Orchard: Notes on a Year",
        True,
        (
            ("Pears were picked green because hornets had come.", "Why was the fruit harvested before it was ripe?"),
            (
                "Grafts on wild stock took in nine cases out of ten.",
                "How successful was the joining of twigs to rootstock?",
            ),
            ("The press was driven by a mule until the mule refused.", "What powered the juice machine at first?"),
            (
                "Hail nets were sewn from the sails of a broken yacht.",
                "From what was the cover against ice storms made?",
            ),
        ),
        (
            "A machine for sorting was shown at the fair in Corby.",
            "Fruit from abroad was cheap in that winter.",
            "The ice on the pond carried until March.",
            "Twigs were burnt on the eve of the first of May.",
        ),
        (
            "Ladders have three legs and stand on any slope.",
            "Baskets are lined with straw.",
            "The bees were brought in the last week of April.",
            "Moss was scraped from the old trunks.",
            "Grass is cut high and left where it falls.",
            "Rings of lime were painted on the bark.",
            "Boxes were stacked in the north room.",
            "The book lists every tree by row and number.",
            "Geese keep the meadow short.",
            "Cider was racked on a clear day.",
        ),
    ),
    Topic(
        "Operating the Ferrow Valley Railway",
        False,
        (
            (
                "The engine takes water at Hobb's Halt alone, for the other cranes are dry.",
                "Where can the boiler be filled?",
            ),
            (
                "Sheep on the line are reported to the signal box by whistle: two long, one short.",
                "How does the driver announce livestock?",
            ),
            (
                "Third class was given up when the last wooden coach burnt.",
                "Why are there only two kinds of ticket left?",
            ),
            ("Brakes are tried on the incline before passengers get in.", "What test comes before people board?"),
        ),
        (
            "A test of new paint was made on coach number seven.",
            "Livestock is carried in the van behind the engine.",
            "The boiler of the dairy was bought from the railway.",
            "A ticket to Ferrow Head costs four shillings.",
        ),
        (
            "Points are oiled on the first of the month.",
            "The guard shows a green flag.",
            "Coal is shovelled by hand at the shed.",
            "Lamps are trimmed before the evening train.",
            "Parcels are weighed at the counter.",
            "The timetable changes in May and October.",
            "Sleepers of larch last for twenty years.",
            "A bell rings in the box when the train has left.",
            "Milk churns travel free on Sundays.",
            "The tunnel is walked through once a week.",
        ),
    ),
    Topic(
        "Keeping Bees at Thornby: A Course in Twelve Evenings",
        False,
        (
            (
                "A colony without a queen hums on a lower note.",
                "By what sound does one know that the ruler is missing?",
            ),
            ("Sugar is fed until the ivy has flowered.", "How long are the insects given extra food in autumn?"),
            ("Smoke from dry puffball calms them best.", "Which fungus is burnt to make the hive peaceful?"),
            (
                "Frames are turned around when the comb leans to the sun.",
                "What is done with wax that has grown crooked?",
            ),
        ),
        (
            "A ruler of wood is used to measure the gap.",
            "Wax from candles is no use for the press.",
            "Autumn is the time to paint the roofs.",
            "Fungus on the stand is cut away with a chisel.",
        ),
        (
            "Gloves are for beginners and for thunder.",
            "Hives face the morning.",
            "A swarm is swept into a straw basket.",
            "Honey is spun in a warm room.",
            "Mice are kept out by a strip of tin.",
            "The course begins at seven in the parish hall.",
            "Records are kept on the lid in chalk.",
            "Water stands ready in a dish with pebbles.",
            "Drones are thrown out in August.",
            "The veil is checked for holes.",
        ),
    ),
)
