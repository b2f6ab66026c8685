"""Gradio's own theme with our colours and the system's fonts; no font or file comes from another host."""

from __future__ import annotations

from pathlib import Path

import gradio as gr

from ui.palette import DARK, LIGHT, css_variables

_FONT = ["system-ui", "-apple-system", "Segoe UI", "Roboto", "Noto Sans", "sans-serif"]
_MONO = ["ui-monospace", "SFMono-Regular", "Consolas", "Liberation Mono", "monospace"]


def theme() -> gr.themes.Base:
    """The theme to launch with."""
    built = gr.themes.Default(primary_hue="blue", neutral_hue="slate", font=_FONT, font_mono=_MONO)
    return built.set(
        body_background_fill=LIGHT.surface,
        body_background_fill_dark=DARK.surface,
        body_text_color=LIGHT.ink,
        body_text_color_dark=DARK.ink,
        body_text_color_subdued=LIGHT.muted,
        body_text_color_subdued_dark=DARK.muted,
        background_fill_primary=LIGHT.surface,
        background_fill_primary_dark=DARK.surface,
        background_fill_secondary=LIGHT.raised,
        background_fill_secondary_dark=DARK.raised,
        block_background_fill=LIGHT.surface,
        block_background_fill_dark=DARK.surface,
        block_border_color=LIGHT.line,
        block_border_color_dark=DARK.line,
        border_color_primary=LIGHT.line,
        border_color_primary_dark=DARK.line,
        color_accent=LIGHT.accent,
        # White on Gradio's own blue is below AA (3.7); on this one it is 5.9.
        button_primary_background_fill=LIGHT.accent,
        button_primary_background_fill_dark=LIGHT.accent,
        button_primary_background_fill_hover=LIGHT.ink,
        button_primary_background_fill_hover_dark=LIGHT.accent,
        button_primary_text_color="#ffffff",
        button_primary_text_color_dark="#ffffff",
        block_shadow="none",
        block_shadow_dark="none",
    )


def css() -> str:
    """The page's stylesheet: the palette as custom properties, then ``style.css``."""
    return css_variables() + (Path(__file__).parent / "style.css").read_text(encoding="utf-8")
