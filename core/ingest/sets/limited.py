"""Asks the limited process of ``core.ingest.sets.child``, and believes nothing that it says beyond its form."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from core.ingest.lines import InputError, clean
from core.settings.limits import LIMITS

_ROOT = Path(__file__).resolve().parents[3]


def child(command: str, *arguments: str, said: Iterable[str] = ()) -> Iterator[dict[str, Any]]:
    """What the process answers, line by line, as it comes; it is ended when the caller stops reading.

    Args:
        command: one of the child's.
        arguments: of the command.
        said: lines for its standard input.

    Raises:
        InputError: it refused the file, or ended before it was done (memory, time).
    """
    path = os.pathsep.join(filter(None, [str(_ROOT), os.environ.get("PYTHONPATH")]))
    process = subprocess.Popen(
        [sys.executable, "-P", "-m", "core.ingest.sets.child", command, *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=os.environ | {"PYTHONPATH": path, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"},
    )
    try:
        yield from _answers(process, said)
    finally:
        process.kill()
        process.wait()
        if process.stdout:
            process.stdout.close()


def _answers(process: subprocess.Popen[bytes], said: Iterable[str]) -> Iterator[dict[str, Any]]:
    assert process.stdin and process.stdout
    with suppress(OSError), process.stdin as pipe:  # a child that is gone is noticed below
        pipe.writelines(line.encode("utf-8", "surrogateescape") + b"\n" for line in said)
    most = 4 * LIMITS.line_chars
    while line := process.stdout.readline(most):
        if not line.endswith(b"\n"):
            break
        answer = json.loads(line)
        if "error" in answer:
            raise InputError(clean(str(answer["error"])))
        if "end" in answer:
            return
        yield answer
    raise InputError(
        "The file could not be read to its end: it needs more memory or time than a question file may take. "
        "Save it as JSON lines, or cut it into smaller files."
    )
