"""LoRA adapters of visual retrievers: put into their base, or refused; never left out in silence."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from peft import PeftConfig, get_peft_model, set_peft_model_state_dict
from safetensors.torch import load_file
from transformers.utils import cached_file
from transformers.utils.peft_utils import find_adapter_config_file

from core.models.protocol import ModelError

_PREFIX = "base_model.model."  # peft writes it before every name


@dataclass(frozen=True)
class Adapter:
    """An adapter and what it is put on."""

    place: str
    config: Any
    base: str
    """Hub id or folder of the model that it was trained on."""


def find_adapter(place: str) -> Adapter | None:
    """The adapter that a folder or hub id holds; None where it is a model of its own. Raises OSError."""
    if find_adapter_config_file(place) is None:
        return None
    config = PeftConfig.from_pretrained(place)
    return Adapter(place, config, str(config.base_model_name_or_path or ""))


def merged(model: Any, adapter: Adapter) -> Any:
    """The model with the adapter in its weights.

    Which modules it changes is read off the file: the pattern in its configuration is older than today's names.

    Raises:
        ModelError: the file and the model do not fit each other in every weight.
        OSError: there is no file.
    """
    stored = load_file(cached_file(adapter.place, "adapter_model.safetensors"))
    renamed = {_PREFIX + _today(name.removeprefix(_PREFIX), model): values for name, values in stored.items()}
    places = {name.removeprefix(_PREFIX).split(".lora_")[0] for name in renamed if ".lora_" in name}
    unknown = sorted(places - {name for name, _ in model.named_modules()})
    if unknown or not places:
        raise _unfit(adapter, unknown)
    adapter.config.target_modules = places
    wrapped = get_peft_model(model, adapter.config)
    result: Any = set_peft_model_state_dict(wrapped, renamed)
    lacking = [name for name in result.missing_keys if "lora_" in name or "modules_to_save" in name]
    if lacking or result.unexpected_keys:
        raise _unfit(adapter, [*lacking, *result.unexpected_keys])
    return wrapped.merge_and_unload()


def _today(name: str, model: Any) -> str:
    """A weight's name in today's model, by the renamings that its class declares."""
    for old, new in (getattr(type(model), "_checkpoint_conversion_mapping", None) or {}).items():
        name, count = re.subn(old, new, name)
        if count:
            break
    return name


def _unfit(adapter: Adapter, names: list[str]) -> ModelError:
    what = ", ".join(names[:3]) + (f" and {len(names) - 3} more" if len(names) > 3 else "")
    return ModelError(
        f"The adapter {adapter.place} does not fit its base {adapter.base} in {what or 'any weight'}. "
        "A part of it would be left out; take a complete checkpoint of one version."
    )
