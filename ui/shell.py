"""The frame of the page: header, tabs, what all tabs share. A new tab is one more line in ``TABS``."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import gradio as gr
from starlette.routing import Mount
from starlette.staticfiles import StaticFiles

from core.backend.protocol import Backend
from core.ingest.page_store import PageStore
from core.runs import RunStore
from core.settings.app import AppSettings
from core.settings.limits import LIMITS
from ui import about, compare, errors, inspect, lab, read, sets
from ui.api import build_ask
from ui.api_evaluate import publish_evaluate
from ui.api_read import publish_read_pdf
from ui.api_runs import build_cancel, build_get_run
from ui.inspect_run import status_html
from ui.parts import QUIET, markup
from ui.samples import ASSETS, Samples
from ui.state import Library
from ui.theme import css, theme

TABS: dict[str, Callable[[Library, AppSettings], object]] = {
    "Inspect": inspect.Tab,
    "Read a PDF": read.Tab,
    "Position lab": lab.Tab,
    "Compare": compare.Tab,
    "Question set": sets.Tab,
    "Errors": errors.Tab,
    "About": about.Tab,
}

_HERE = Path(__file__).parent
_VENDOR = _HERE / "vendor"
PLOTLY = "plotly-cartesian-4.1.1.min.js"
"""The drawing library, a third of the one that Gradio brings: what a browser compiles before its first figure."""
_SERVED = {"vendor": _VENDOR, "i18n": ASSETS / "i18n"}
"""What a browser asks for by itself, and where it lies: the drawing library, and the page's texts in Chinese."""
_SCRIPTS = ("i18n.js", "glue.js", "lab.js", "read.js", "compare.js", "set.js", "errors.js")
_STYLES = ("page.css", "lab.css", "read.css", "compare.css", "set.css")
_BRAND = """
<div class="wl wl-brand">
  <svg viewBox="0 0 44 26" width="44" height="26" aria-hidden="true"><path d="M3 4 L12 21 L22 9 L32 21 L41 4"/>
  <circle cx="22" cy="9" r="3.4"/></svg>
  <h1 title="Which evidence a language model looked at, which it lost, and why">W-Lens</h1>
</div>
"""
_SWITCHES = (
    '<div class="wl wl-switches"><button type="button" class="wl-language" data-language="zh" lang="zh-Hans" '
    'title="切换为中文" translate="no">中文</button><button type="button" class="wl-language" data-language="en" '
    'lang="en" title="Switch to English" translate="no">English</button>'
    '<button type="button" class="wl-theme" data-theme="toggle" '
    'aria-label="Switch between light and dark" title="Light or dark">◐</button></div>'
)


def build(settings: AppSettings, backend: Backend, store: RunStore, samples: Samples | None = None) -> gr.Blocks:
    """The whole page, not yet launched."""
    library = Library(samples or Samples(), backend, store, settings.cache)
    with gr.Blocks(title="W-Lens", fill_width=True, analytics_enabled=False, delete_cache=(1800, 3600)) as demo:
        _publish(backend)
        publish_read_pdf(backend, PageStore(settings.cache))
        publish_evaluate(library.sets)
        with gr.Row(elem_id="wl-header"):
            markup(_BRAND)
            status = markup(status_html(backend.status()), elem_id="wl-status")
            markup(_SWITCHES, elem_id="wl-theme")
        clock = gr.Timer(1)
        clock.tick(
            lambda: _status(backend),
            None,
            [status, clock],
            queue=False,
            show_progress="hidden",
            api_visibility="private",
        )
        built: list[object] = []
        with gr.Tabs(elem_id="wl-tabs") as tabs:
            for name, tab in TABS.items():
                with gr.Tab(name, id=slug(name)) as shown:
                    built.append(tab(library, settings))
                shown.select(None, js=f"() => wlens.showTab('{slug(name)}')", api_visibility="private")
        _join(built, tabs)
        demo.load(_asked_tab, None, tabs, js="() => wlens.start()", queue=False, **QUIET)
    _quiet(demo, status)
    demo.queue(max_size=256, default_concurrency_limit=8)
    return demo


def _quiet(demo: gr.Blocks, where: gr.HTML) -> None:
    """One place for Gradio's progress, which the page does not show, in place of every output of every event.

    Its script walks through the whole page for each of them, twice an event: a quarter of the time to the first view.
    """
    for function in demo.fns.values():
        if function.show_progress == "hidden":
            function.show_progress_on = [where]


def _publish(backend: Backend) -> None:
    """The public functions; first of all, so that no event of the page takes their names."""
    gr.api(build_ask(backend), api_name="ask", concurrency_limit=LIMITS.queue)  # type: ignore[attr-defined]
    gr.api(build_get_run(backend), api_name="get_run")  # type: ignore[attr-defined]
    gr.api(build_cancel(backend), api_name="cancel")  # type: ignore[attr-defined]


def _join(built: list[object], tabs: gr.Tabs) -> None:
    """What one tab hands to another."""
    source = next(tab for tab in built if isinstance(tab, inspect.Tab))
    target = next(tab for tab in built if isinstance(tab, lab.Tab))
    target.take(source.ui.panel.send, source.draft, source.ui.panel.question, tabs)
    whole = next(tab for tab in built if isinstance(tab, sets.Tab))
    reviewed = next(tab for tab in built if isinstance(tab, errors.Tab))
    reviewed.take(whole.ui.bridge, whole.view, tabs)


def slug(name: str) -> str:
    """What a tab is called in the page's address: the last word of its name."""
    return name.split()[-1].lower()


def _asked_tab(request: gr.Request) -> Any:
    """The tab that the address names; nothing changes where it names none."""
    asked = request.query_params.get("tab", "")
    return gr.Tabs(selected=asked) if asked in map(slug, TABS) else gr.skip()


def _status(backend: Backend) -> list[Any]:
    status = backend.status()
    changing = status.state in ("starting", "restarting")
    return [status_html(status), gr.Timer(1 if changing else 2)]


def launch_options(settings: AppSettings) -> dict[str, Any]:
    """What ``launch`` gets: nothing shared, nothing recorded by Gradio, nothing loaded from elsewhere."""
    script = "".join((_HERE / name).read_text(encoding="utf-8") for name in _SCRIPTS)
    styles = "".join((_HERE / name).read_text(encoding="utf-8") for name in _STYLES)
    return {
        "server_name": settings.host,
        "server_port": settings.port,
        "ssr_mode": False,
        "run_history": False,
        "enable_monitoring": False,
        "share": False,
        "show_error": False,
        "strict_cors": True,
        "allowed_paths": [],
        "blocked_paths": [str(settings.runs.resolve())],
        "max_file_size": LIMITS.file_bytes,
        "state_session_capacity": 500,
        "footer_links": ["api"],
        "mcp_server": True,
        "quiet": True,
        "theme": theme(),
        "css": css() + styles,
        "head": f'<script>{script}</script><script async src="vendor/{PLOTLY}"></script>',
        "app_kwargs": {"routes": [Mount(f"/{name}", StaticFiles(directory=at)) for name, at in _SERVED.items()]},
    }
