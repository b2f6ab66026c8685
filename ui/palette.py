"""Every colour of the page, named by what it means; one set for light, one for dark.

Hues follow Okabe and Ito (2008), whose pairs stay apart for colour-blind eyes, shifted in lightness so
that the pairs that meet in one figure also differ in grey. Inks reach WCAG AA (4.5) on both grounds.
"""

from __future__ import annotations

from dataclasses import dataclass, fields


@dataclass(frozen=True)
class Palette:
    """The colours of one theme, as CSS colours."""

    surface: str
    """The page's ground."""
    raised: str
    """The ground of a card."""
    line: str
    """Hairlines and grids."""
    ink: str
    """Text."""
    muted: str
    """Text of second rank."""
    accent: str
    """What can be clicked, and the focus ring."""
    selected: str
    """The band behind the selected document."""
    attention: str
    """Attention: lines, marks and their label."""
    trend: str
    """The line of what the place alone would draw."""
    trend_fill: str
    """The calm area under it."""
    gold: str
    """Marks of gold documents."""
    gold_ink: str
    """The word gold, and text beside such a mark."""
    semantic: str
    """The semantic part of SFS."""
    inference: str
    """The structural inference part of SFS."""
    contrast: str
    """The contrast part of SFS, and a document above its neighbours."""
    contrast_ink: str
    """Text about contrast."""
    dip: str
    """A document below its neighbours."""
    kept: str
    """Kept evidence: marks."""
    kept_ink: str
    """Kept evidence: text."""
    pruned: str
    """Pruned evidence: marks and text."""
    warning: str
    """Text of warnings."""
    token: str
    """The full strength of a token's shade; text stays legible on it."""


LIGHT = Palette(
    surface="#ffffff",
    raised="#f6f8fb",
    line="#dfe4ec",
    ink="#18202c",
    muted="#586273",
    accent="#2b5fc7",
    selected="rgba(43, 95, 199, 0.10)",
    attention="#2b5fc7",
    trend="#8ea6d6",
    trend_fill="rgba(43, 95, 199, 0.13)",
    gold="#e3a008",
    gold_ink="#7a5200",
    semantic="#56b4d9",
    inference="#6c5aa8",
    contrast="#d95f2b",
    contrast_ink="#ad4212",
    dip="#b4bccb",
    kept="#12855b",
    kept_ink="#0d6b49",
    pruned="#626c7c",
    warning="#8a4b00",
    token="#ffc861",
)

DARK = Palette(
    surface="#0f141c",
    raised="#182030",
    line="#2d384b",
    ink="#e7ecf4",
    muted="#a4b0c2",
    accent="#8fb0ff",
    selected="rgba(143, 176, 255, 0.15)",
    attention="#8fb0ff",
    trend="#5a76b5",
    trend_fill="rgba(143, 176, 255, 0.16)",
    gold="#ffc445",
    gold_ink="#ffd27a",
    semantic="#7ed9f2",
    inference="#8f78d8",
    contrast="#ff8a55",
    contrast_ink="#ffa37a",
    dip="#56617a",
    kept="#45c793",
    kept_ink="#6bd8ab",
    pruned="#9aa5b6",
    warning="#ffc27a",
    token="#7a5410",
)


def palette(dark: bool) -> Palette:
    """The colours of one theme."""
    return DARK if dark else LIGHT


def css_variables() -> str:
    """Both palettes as CSS custom properties ``--wl-<name>``; ``.dark`` above an element switches them."""

    def block(selector: str, colours: Palette) -> str:
        lines = "".join(
            f"  --wl-{field.name.replace('_', '-')}: {getattr(colours, field.name)};\n" for field in fields(colours)
        )
        return f"{selector} {{\n{lines}}}\n"

    return block(":root, .wl-paper", LIGHT) + block(".dark", DARK)
