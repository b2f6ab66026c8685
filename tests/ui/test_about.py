from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from core.settings.app import AppSettings
from core.settings.limits import LIMITS
from ui.about import API_PAGE, api_html, limits, table_html


def test_the_limits_are_those_of_the_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SPACE_ID", raising=False)
    said = dict(limits(AppSettings()))
    assert f"of one visitor {LIMITS.queue_each}" in said["Requests that wait"]
    assert said["Runs, question sets and pages are kept"] == "until they are deleted"
    assert "Runs kept at most" not in said


def test_how_long_runs_are_kept_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    assert dict(limits(replace(AppSettings(), keep_days="7")))["Runs, question sets and pages are kept"] == "7 days"
    monkeypatch.setenv("SPACE_ID", "somebody/w-lens")
    assert dict(limits(AppSettings()))["Runs, question sets and pages are kept"] == "30 days"


def test_names_are_text() -> None:
    assert "<b>" not in table_html([("<b>", "<b>")])


def test_the_page_of_examples_is_shown_as_it_stands(tmp_path: Path) -> None:
    shown = api_html(API_PAGE)
    assert "api_name=&quot;/ask&quot;" in shown or 'api_name="/ask"' in shown
    assert "```" not in shown and "<h4>" in shown
    (tmp_path / "x.md").write_text("# A <b>\n\nSay `a<b`.\n\n```python\nif a < b: pass\n```\n")
    made = api_html(tmp_path / "x.md")
    assert "<h4>A &lt;b&gt;</h4>" in made and "<code>a&lt;b</code>" in made and "if a &lt; b" in made
    assert "not part of this installation" in api_html(tmp_path / "none.md")
