from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from core.ingest.page_store import PageStore
from core.models.protocol import Stop
from core.page_record import PageLayout, Source
from core.settings.methods import PdfSettings
from core.sleuth import gathering
from tests.core.sleuth.case import PAGES, SHA, Case


@pytest.fixture
def case(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Case:
    store = PageStore(tmp_path)
    store.folder(SHA).mkdir(parents=True)
    store.keep_source(Source(name="other name.pdf", sha256=SHA, pages=len(PAGES)))

    def read_pages(sha: str, store: PageStore, settings: PdfSettings, stop: Stop) -> Iterator[PageLayout]:
        assert sha == SHA
        for page in PAGES:
            stop()
            yield page

    monkeypatch.setattr(gathering, "read_pages", read_pages)
    return Case(tmp_path)
