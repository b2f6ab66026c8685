"""Files written whole: a reader finds the old content or the new one, never half of either."""

from __future__ import annotations

import errno
import os
import secrets
from pathlib import Path

_NO_LINKS = (errno.EPERM, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS, errno.EMLINK)


def write_whole(path: Path, data: bytes) -> None:
    """Puts ``data`` in place of the file's content, or makes the file. Raises OSError."""
    fresh = _beside(path)
    try:
        fresh.write_bytes(data)
        os.replace(fresh, path)
    finally:
        fresh.unlink(missing_ok=True)


def write_new(path: Path, data: bytes) -> bool:
    """Makes the file, or returns False where the name is taken, also by another process. Raises OSError."""
    fresh = _beside(path)
    try:
        fresh.write_bytes(data)
        os.link(fresh, path)
    except FileExistsError:
        return False
    except OSError as error:
        # A file system without hard links: only two writers at the very same moment could still collide.
        if error.errno not in _NO_LINKS or path.exists() or not fresh.exists():
            raise
        os.replace(fresh, path)
    finally:
        fresh.unlink(missing_ok=True)
    return True


def _beside(path: Path) -> Path:
    return path.with_name(f".{path.name}.{secrets.token_hex(4)}")
