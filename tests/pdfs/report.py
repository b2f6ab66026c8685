"""A twelve-page report with tables and charts, on a harbour that does not exist."""

from __future__ import annotations

from tests.pdfs.paper import Paper

TITLE = "Port of Lindrum: Report on the Year 2023"
QUESTIONS = (
    {
        "question": "In which quarter did the port of Lindrum handle the most containers, and how many?",
        "answers": ["the third quarter, 41,200", "third quarter", "Q3", "41,200"],
        "gold": [4],
    },
    {
        "question": "Which berth was out of use for the longest time in 2023, and why?",
        "answers": ["berth 4, because a crane rail had sunk", "berth 4"],
        "gold": [6],
    },
    {
        "question": "By how much did the harbour's electricity use fall after the new lighting was put in?",
        "answers": ["18 percent", "18 %", "by 18 percent"],
        "gold": [8],
    },
)


def report() -> Paper:
    """The document; nothing in it is true."""
    paper = Paper(TITLE, "Port of Lindrum · Report on the Year 2023 · a fictional document")
    for page in (_cover, _summary, _traffic, _ferries, _containers, _fish, _berths, _dredging, _energy, _people):
        paper.turn()
        page(paper)
    for page in (_accounts, _outlook):
        paper.turn()
        page(paper)
    return paper


def _cover(paper: Paper) -> None:
    paper.y = 190
    paper.heading("Port of Lindrum", 30)
    paper.heading("Report on the Year 2023", 20)
    paper.paragraph("Published by the Harbour Office, Customs Quay 1, Lindrum. March 2024.")
    paper.y += 40
    paper.paragraph(
        "Lindrum, its harbour and everybody named here are invented. The report was written to try out readers of long "
        "documents: its figures stand in running text, in tables, and only in charts."
    )


def _summary(paper: Paper) -> None:
    paper.heading("1  The year in short")
    paper.paragraph(
        "The year 2023 brought more ships and fewer delays than the one before. 2,914 calls were counted, 6 percent "
        "more than in 2022. Of these 1,460 were ferries, 871 fishing vessels, 402 container feeders, and the rest "
        "yachts, tankers and visiting research ships."
    )
    paper.paragraph(
        "A gale in the night of 2 November drove the barge Adelheid against the inner mole. No one was hurt. The "
        "mole's head was rebuilt within five weeks by the office's own masons, and the light on it was lit again on 9 "
        "December."
    )
    paper.paragraph(
        "Three decisions of the year will be felt for longer. The basin was deepened to 9.4 metres, so that feeders "
        "of the Cormorant class can enter at low water. The old floodlights were taken down. And the ferry company "
        "signed for twelve more years, under terms that are set out in section 3."
    )
    paper.heading("Contents", 12)
    paper.items(
        [
            "The year in short (this page), ship traffic (page 3), ferries (page 4), containers (page 5)",
            "The fish market (page 6), berths and repairs (page 7), dredging (page 8), energy (page 9)",
            "People (page 10), accounts (page 11), outlook (page 12)",
        ]
    )


def _traffic(paper: Paper) -> None:
    paper.heading("2  Ship traffic")
    paper.paragraph(
        "Calls are counted when a line is made fast. A ship that shifts from one berth to another is counted once. The "
        "table sets the last three years side by side; yachts shorter than eight metres are left out."
    )
    paper.caption("Table 1: Calls by kind of ship")
    paper.table(
        [
            ["Kind of ship", "2021", "2022", "2023"],
            ["Ferries", "1,398", "1,422", "1,460"],
            ["Fishing vessels", "902", "884", "871"],
            ["Container feeders", "301", "344", "402"],
            ["Yachts", "88", "97", "133"],
            ["Tankers", "29", "26", "31"],
            ["Research ships", "9", "11", "17"],
        ]
    )
    paper.paragraph(
        "The share of fishing vessels goes on falling, as it has since the herring quota was halved. Feeders make up "
        "for it: since the basin was deepened, the Cormorant sisters have called every Tuesday and Friday."
    )
    paper.paragraph(
        "Pilots were taken by 611 ships. The mean wait for a pilot was 23 minutes, against 31 in the year before. On "
        "four days in January the pilot boat could not leave because of ice in the fairway."
    )


def _ferries(paper: Paper) -> None:
    paper.heading("3  Ferries")
    paper.paragraph(
        "The line to Sankt Maren carried 488,300 passengers and 71,900 cars. Punctuality, which the contract measures "
        "as departures no later than ten minutes after the timetable, rose from 88 to 93 percent."
    )
    paper.paragraph(
        "The new contract with the Maren Line runs from 1 April 2024 to 31 March 2036. The company pays a fixed rent "
        "for the terminal and 40 cents for each passenger beyond 450,000 a year. In return the office keeps the ramp "
        "in repair and bears the cost of ice breaking."
    )
    paper.caption("Figure 1: Passengers of the line to Sankt Maren, in thousands a month")
    months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    paper.lines(
        months,
        {
            "2023": [19, 18, 25, 36, 44, 57, 82, 79, 51, 33, 21, 22],
            "2022": [15, 16, 22, 33, 40, 54, 77, 78, 45, 30, 20, 19],
        },
        "thousand passengers",
    )
    paper.paragraph(
        "The waiting hall was given a second door and a place to change infants. Bicycles are now taken on board free "
        "of charge on all days but the first Saturday of August, when the regatta fills the deck."
    )


def _containers(paper: Paper) -> None:
    paper.heading("4  Containers")
    paper.paragraph(
        "Boxes are counted in units of twenty feet, loaded and empty alike. The chart gives the four quarters; it is "
        "the only place where they are published, since the statistics office joins them to half years."
    )
    paper.caption("Figure 2: Containers handled in 2023, in units of twenty feet")
    paper.bars(["Quarter 1", "Quarter 2", "Quarter 3", "Quarter 4"], [28400, 33900, 41200, 36700], "units")
    paper.paragraph(
        "Timber for the furniture works at Hallin is the largest trade inwards, frozen fish the largest outwards. The "
        "gate was moved to the north side in May, which took the lorries out of Salt Street. Since then a lorry stays "
        "in the port for 34 minutes on average, twelve minutes less than before."
    )
    paper.paragraph(
        "Two reach stackers of 1998 were sold and one new one was bought. It runs on a battery and is charged at "
        "night, when the wind park beyond the mole gives more than the town can use."
    )


def _fish(paper: Paper) -> None:
    paper.heading("5  The fish market")
    paper.paragraph(
        "The market sold 9,740 tonnes, a tenth less than in 2022, for a tenth more money. Cod stayed away in spring "
        "and came in autumn. The auction moved from five to half past four in the morning, at the wish of the buyers "
        "from the mainland, who must catch the first ferry."
    )
    paper.caption("Table 2: Landings in tonnes, and the mean price of a kilogram")
    paper.table(
        [
            ["Fish", "2022", "2023", "Price 2023"],
            ["Herring", "4,310", "3,585", "0.92"],
            ["Cod", "2,650", "2,120", "4.10"],
            ["Plaice", "1,905", "1,990", "2.75"],
            ["Mackerel", "1,240", "1,310", "1.60"],
            ["Turbot", "715", "735", "9.85"],
        ],
        ruled=False,
    )
    paper.paragraph(
        "The ice plant made 3,100 tonnes of flake ice. In August it was short by forty tonnes in one week and ice was "
        "brought from Hallin by lorry. A second compressor has been ordered and is to run before the summer of 2024."
    )


def _berths(paper: Paper) -> None:
    paper.heading("6  Berths and repairs")
    paper.paragraph(
        "All eight berths were inspected by divers in June. The table lists every closure of more than a week. "
        "Closures for fairs and for the regatta are not repairs and are left out."
    )
    paper.caption("Table 3: Berths closed for more than a week in 2023")
    paper.table(
        [
            ["Berth", "Closed for", "Reason", "Cost in crowns"],
            ["2", "16 days", "fender piles renewed", "84,000"],
            ["4", "63 days", "crane rail had sunk", "612,000"],
            ["5", "11 days", "bollard torn out", "9,500"],
            ["7", "29 days", "sheet piling welded", "237,000"],
        ]
    )
    paper.paragraph(
        "The rail lay on rubble that had been tipped in when the quay was lengthened in 1961. The rubble was dug out "
        "and replaced by concrete on piles. While the works went on, feeders were unloaded by the mobile crane at "
        "berth 6."
    )
    paper.paragraph(
        "The slipway was used by 58 vessels. Its winch, built in Lindrum in 1934, passed its inspection without remark."
    )


def _dredging(paper: Paper) -> None:
    paper.heading("7  Dredging")
    paper.paragraph(
        "Between 8 January and 26 March the hopper dredger Otto Wulf took 212,000 cubic metres of sand and clay out "
        "of the basin and the fairway. Four fifths of it was clean and was laid before the beach at Grell, which had "
        "lost eleven metres of width in ten winters."
    )
    paper.paragraph(
        "The remaining fifth, from the corner where the shipyard stood until 1977, held copper and tin from old "
        "paint. It was pressed dry and taken to a landfill on the mainland, at nearly three times the cost of all the "
        "rest."
    )
    paper.caption("Table 4: Depth at low water, in metres")
    paper.table(
        [
            ["Place", "Before", "After"],
            ["Fairway, outer part", "9.1", "9.8"],
            ["Fairway, inner part", "8.4", "9.6"],
            ["Basin", "7.9", "9.4"],
            ["Fishing harbour", "4.5", "4.5"],
        ]
    )
    paper.paragraph("The next survey by echo sounder is planned for the autumn of 2025.")


def _energy(paper: Paper) -> None:
    paper.heading("8  Energy")
    paper.paragraph(
        "In February and March the 214 sodium lamps on the quays were replaced by 160 diode lamps on the same masts. "
        "They dim by themselves when nobody moves below them. From April to December the port drew 18 percent less "
        "current from the grid than in the same months of 2022, although the new reach stacker is charged here."
    )
    paper.caption("Figure 3: Current drawn from the grid, in megawatt hours a quarter")
    paper.bars(["2022 Q4", "2023 Q1", "2023 Q2", "2023 Q3", "2023 Q4"], [1310, 1275, 905, 880, 1090], "MWh")
    paper.paragraph(
        "Ferries lie at the quay for seven hours each night. Since September they take shore power there instead of "
        "running an engine. The neighbours of the terminal, who had complained of the noise 41 times in 2022, "
        "complained twice."
    )
    paper.paragraph("The harbour office itself is heated by a pump that takes its warmth out of the basin.")


def _people(paper: Paper) -> None:
    paper.heading("9  People")
    paper.paragraph(
        "At the end of the year 143 people worked for the port, nine of them apprentices. Harbour master Ilse Tamm "
        "retired in June after 27 years; she is followed by Jorin Eskild, who was her deputy and before that mate of "
        "the rescue cruiser."
    )
    paper.caption("Table 5: Staff at the end of the year")
    paper.table(
        [
            ["Department", "2022", "2023"],
            ["Pilots and boatmen", "31", "33"],
            ["Cranes and gate", "46", "48"],
            ["Workshops", "27", "25"],
            ["Fish market", "19", "18"],
            ["Office", "18", "19"],
        ]
    )
    paper.paragraph(
        "There were fourteen accidents with at least one day of absence, five fewer than in 2022. Eight of them "
        "happened on ladders. Since October every ladder has been numbered and is looked at twice a year."
    )


def _accounts(paper: Paper) -> None:
    paper.heading("10  Accounts")
    paper.paragraph(
        "Income was 23.6 million crowns and expenditure 22.1 million. The surplus goes to the reserve for the mole, "
        "which now holds 8.2 million. Harbour dues were left as they were for the third year."
    )
    paper.caption("Table 6: Income and expenditure, in thousands of crowns")
    paper.table(
        [
            ["Item", "2022", "2023"],
            ["Dues of ships", "9,870", "10,640"],
            ["Rents", "6,120", "6,380"],
            ["Cranes and storage", "4,455", "5,210"],
            ["Fish market", "1,290", "1,370"],
            ["Wages", "-8,940", "-9,310"],
            ["Repairs", "-4,020", "-5,180"],
            ["Dredging", "-650", "-3,990"],
            ["Energy and other", "-3,780", "-3,620"],
        ],
        ruled=False,
    )
    paper.paragraph(
        "The town holds three quarters of the shares and the fishermen's union one quarter. No dividend was paid."
    )


def _outlook(paper: Paper) -> None:
    paper.heading("11  Outlook")
    paper.paragraph(
        "In 2024 the fender piles of berths 1 and 3 will be renewed, and the lifting bridge will be closed for its "
        "great inspection in the second half of September. A study will ask whether the railway siding, unused since "
        "1989, can be opened again for timber."
    )
    paper.paragraph(
        "The office expects 3,000 calls and about as many containers as in the past year. It does not expect the "
        "herring to come back."
    )
    paper.paragraph("Set in Helvetica. Printed by nobody: this report exists as a file only.")
