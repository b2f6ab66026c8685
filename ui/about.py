"""The tab "About": what runs here, what it will take, what is kept, and how a program asks."""

from __future__ import annotations

import re
from pathlib import Path

from core.settings.app import AppSettings
from core.settings.limits import LIMITS
from core.settings.pdf import PDF_LIMITS
from core.settings.profiles import PROFILES
from ui.markup import escape
from ui.parts import heading, markup
from ui.samples import ASSETS
from ui.state import Library

API_PAGE = ASSETS / "api.md"
_BLOCK = re.compile(r"^```(\w*)\n(.*?)^```\n?", re.MULTILINE | re.DOTALL)
_CODE = re.compile(r"`([^`]+)`")


class Tab:
    """Nothing here changes while the page is open."""

    def __init__(self, library: Library, settings: AppSettings) -> None:
        """Draws the tab."""
        markup(_WORDS)
        heading("What runs here", "The back end and the models that this installation has chosen.")
        markup(_models_html(library.backend.status().profile, settings))
        heading("Limits", "What one request may ask for. More is refused with a message; nothing is cut silently.")
        markup(table_html(limits(settings)))
        heading("From a program", "The same functions over HTTP, with gradio_client, and as MCP tools.")
        markup(api_html(API_PAGE))


def limits(settings: AppSettings) -> list[tuple[str, str]]:
    """What is limited, and to how much, in words."""
    kept = settings.kept_seconds
    return [
        ("Documents of one question", f"{LIMITS.documents}, as far as the model's window goes"),
        ("Characters of one document", f"{LIMITS.document_chars:,}"),
        ("Characters of a question", f"{LIMITS.question_chars:,}"),
        ("Documents of a position sweep", f"{LIMITS.sweep_documents}"),
        ("Question file", f"{_mib(LIMITS.file_bytes)}, {LIMITS.file_rows:,} rows in the page"),
        ("Question set", f"{LIMITS.set_rows:,} rows; its PDFs {_mib(LIMITS.archive_bytes)} unpacked"),
        ("PDF", f"{_mib(PDF_LIMITS.file_bytes)}, {PDF_LIMITS.pages:,} pages, {PDF_LIMITS.page_seconds:.0f} s a page"),
        ("Run record that is opened again", _mib(LIMITS.record_bytes)),
        ("Requests that wait", f"{LIMITS.queue}, of one visitor {LIMITS.queue_each}"),
        ("Runs, question sets and pages are kept", f"{kept / 86_400:.0f} days" if kept else "until they are deleted"),
        *([("Runs kept at most", f"{LIMITS.runs_kept:,}, the oldest go first")] if kept else []),
        ("Uploaded files are kept", "two hours"),
    ]


def table_html(rows: list[tuple[str, str]]) -> str:
    """Two columns; the first names the row."""
    body = "".join(f'<tr><th scope="row">{escape(name)}</th><td>{escape(value)}</td></tr>' for name, value in rows)
    return f'<div class="wl wl-about"><table class="wl-table"><tbody>{body}</tbody></table></div>'


def api_html(page: Path) -> str:
    """The page of examples: its paragraphs, and its code as it stands."""
    try:
        text = page.read_text(encoding="utf-8")
    except OSError:
        return '<p class="wl wl-sub">The page of examples is not part of this installation.</p>'
    parts, after = [], 0
    for block in _BLOCK.finditer(text):
        parts += [_prose(text[after : block.start()]), f'<pre tabindex="0"><code>{escape(block[2])}</code></pre>']
        after = block.end()
    return f'<div class="wl wl-about wl-api">{"".join(parts)}{_prose(text[after:])}</div>'


def _prose(text: str) -> str:
    found = []
    for paragraph in text.split("\n\n"):
        line = " ".join(paragraph.split())
        if line.startswith("#"):
            found.append(f"<h4>{escape(line.lstrip('# '))}</h4>")
        elif line:
            found.append("<p>" + _CODE.sub(r"<code>\1</code>", escape(line)) + "</p>")
    return "".join(found)


def _models_html(profile_name: str, settings: AppSettings) -> str:
    profile = PROFILES.get(profile_name)
    if profile is None:
        return table_html([("Profile", profile_name or "none")])
    named = {
        "Backbone": settings.backbone or profile.backbone,
        "Embedder": settings.embedder or profile.embedder,
        "Page encoder": settings.page_encoder or profile.page_encoder,
        "Page reader": settings.reader or profile.reader,
        "Reader of hard questions": settings.thinking_reader or profile.thinking_reader,
    }
    rows = [("Profile", profile.name)]
    rows += [(role, name.removeprefix("wheel:") or "none in this profile") for role, name in named.items()]
    return table_html(rows)


def _mib(size: int) -> str:
    return f"{size // 2**20:,} MiB" if size < 2**30 else f"{size // 2**30:,} GiB"


_WORDS = """
<div class="wl wl-about">
<p>W-Lens runs two published methods step by step and keeps every number: <b>DuQUAD</b> for one question over many
documents, and <b>SLEUTH</b> for a long PDF. What the page shows is computed from the record of a run; a finished run
opens with no model.</p>
<p>A run's address cannot be guessed. Whoever has it can look at the run: send the link to share it. Only the browser
that started a run can stop it. But for the download of models from the Hugging Face hub, neither the page nor the
server asks another host for anything.</p>
<p>The program is free software under the AGPL-3.0: whoever serves a changed one offers its source to those who use
it.</p>
</div>
"""
