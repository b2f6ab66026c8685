from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from PIL import Image
from safetensors.torch import load_file, save_file

from core.models import page_image_encoder
from core.models.late_interaction import page_map
from core.models.page_encoders import load_page_encoder
from core.models.page_image_encoder import ImagePageEncoder
from core.models.page_protocol import PageVectors, PageView, QueryVectors
from core.models.protocol import ModelError
from core.page_record import PageLayout
from core.settings.pages import PAGE_VISUAL_TOKENS
from tests.core.models import checkpoints
from tests.core.models.page_checkpoints import KINDS

QUESTION = "Which river is it?"
LAYOUT = PageLayout(page=0, width=10, height=10, pixels=(10, 10))
SIZE = (196, 280)  # 7 × 10 patches of Qwen's, 3 × 4 tiles of Idefics'


def go() -> None:
    """Never stops."""


def load(folder: Path) -> ImagePageEncoder:
    encoder = load_page_encoder(str(folder), None, folder, "cpu", torch.float32)  # type: ignore[arg-type]
    assert isinstance(encoder, ImagePageEncoder)
    return encoder


@pytest.fixture(scope="session")
def folders(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    root = tmp_path_factory.mktemp("page-encoders")
    return {kind: make(root / kind) for kind, make in KINDS.items()}


@pytest.fixture(scope="session")
def encoders(folders: dict[str, Path]) -> dict[str, ImagePageEncoder]:
    return {kind: load(folder) for kind, folder in folders.items()}


@pytest.fixture(params=KINDS)
def encoder(request: pytest.FixtureRequest, encoders: dict[str, ImagePageEncoder]) -> ImagePageEncoder:
    return encoders[request.param]


Draw = Callable[[np.ndarray], PageView]


@pytest.fixture
def draw(tmp_path: Path) -> Draw:
    """Puts pixels on disk as a page."""
    made: list[Path] = []

    def page(pixels: np.ndarray) -> PageView:
        made.append(tmp_path / f"{len(made)}.png")
        Image.fromarray(pixels.astype(np.uint8)).save(made[-1])
        return PageView(LAYOUT, made[-1])

    return page


def noise(seed: int, size: tuple[int, int] = SIZE) -> np.ndarray:
    return np.random.default_rng(seed).integers(0, 255, (size[1], size[0], 3))


def alone(encoder: ImagePageEncoder, page: PageView) -> PageVectors:
    return encoder.encode_pages([page], go)[0][0]


def test_vectors_are_those_of_the_model_called_plainly(encoder: ImagePageEncoder, draw: Draw) -> None:
    page = draw(noise(1))
    inputs = encoder._processor.process_images(images=[Image.open(page.picture).convert("RGB")])  # type: ignore[arg-type]
    inputs.pop("labels", None)
    with torch.inference_mode():
        output = encoder._model(**inputs)
    expected = (output if isinstance(output, torch.Tensor) else output.embeddings)[0].numpy()
    found, tokens = encoder.encode_pages([page], go)
    assert found[0].vectors.shape == expected.shape and tokens == len(expected)
    assert np.abs(found[0].vectors - expected).max() < 1e-5
    assert np.abs(np.linalg.norm(found[0].vectors, axis=1) - 1).max() < 1e-5


def test_vectors_do_not_depend_on_the_other_pages(encoder: ImagePageEncoder, draw: Draw) -> None:
    # Two shapes, so that a padded batch would have to pad; more pages than go together.
    pages = [draw(noise(seed, SIZE if seed % 3 else SIZE[::-1])) for seed in range(7)]
    together, tokens = encoder.encode_pages(pages, go)
    assert tokens == sum(len(page.vectors) for page in together)
    for page, found in zip(pages, together, strict=True):
        own = alone(encoder, page)
        assert own.vectors.shape == found.vectors.shape and own.grid == found.grid
        assert np.abs(own.vectors - found.vectors).max() < 1e-5


@pytest.mark.parametrize("size", [SIZE, SIZE[::-1], (40, 40)])
def test_every_patch_of_the_grid_has_one_vector(encoder: ImagePageEncoder, draw: Draw, size: tuple[int, int]) -> None:
    found = alone(encoder, draw(noise(3, size)))
    assert found.grid is not None and found.patch is not None and len(found.patch) == len(found.vectors)
    rows, columns = found.grid
    assert sorted(found.patch[found.patch >= 0]) == list(range(rows * columns))
    # Where the grid follows the page at all, it is as upright as the page.
    assert rows == columns or (rows > columns) == (size[1] > size[0])


@pytest.mark.parametrize("place", [(0, 0), (3, 0), (1, 3)])
def test_what_changes_on_the_page_changes_there_in_the_grid(
    encoder: ImagePageEncoder, draw: Draw, place: tuple[int, int]
) -> None:
    width, height = SIZE[0] // 4, SIZE[1] // 4  # the mark is inside one of 4 x 4 parts of the page
    pages = [draw(np.full((SIZE[1], SIZE[0], 3), 128))]
    for seed in range(4):  # several marks, since random weights also carry a change elsewhere
        marked = np.full((SIZE[1], SIZE[0], 3), 128)
        mark = np.kron(noise(seed, (2, 2)), np.ones((height * 3 // 8, width * 3 // 8, 1)))
        x, y = place[0] * width + width // 8, place[1] * height + height // 8
        marked[y : y + mark.shape[0], x : x + mark.shape[1]] = mark
        pages.append(draw(marked))
    before, *after = encoder.encode_pages(pages, go)[0]
    assert before.grid is not None and before.patch is not None
    rows, columns = before.grid
    moved = sum(np.linalg.norm(page.vectors - before.vectors, axis=1) for page in after)
    by_patch = np.zeros(rows * columns)
    by_patch[before.patch[before.patch >= 0]] = moved[before.patch >= 0]
    row, column = divmod(int(by_patch.argmax()), columns)
    # Random weights may carry a change into the patch beside the mark, not further.
    assert abs((column + 0.5) / columns - (place[0] + 0.5) / 4) <= 1 / 8 + 1 / columns
    assert abs((row + 0.5) / rows - (place[1] + 0.5) / 4) <= 1 / 8 + 1 / rows


def engine_maps(encoder: ImagePageEncoder, page: PageView, query: torch.Tensor, vectors: torch.Tensor) -> torch.Tensor:
    """colpali-engine's own similarity maps: (tokens, columns, rows)."""
    processor, picture = encoder._processor, Image.open(page.picture)  # type: ignore[arg-type]
    inputs = processor.process_images([picture])
    if hasattr(processor, "get_local_image_mask"):  # takes height and width
        tiles = {"patch_size": 16} if "Idefics3" in type(processor).__name__ else {}
        patches = processor.get_n_patches(picture.size[::-1], **tiles)
        mask = processor.get_local_image_mask(inputs)
        return processor.get_similarity_maps_from_embeddings(vectors[None], query[None], patches, mask)[0]
    option = {"spatial_merge_size": 2} if "image_grid_thw" in inputs else {"patch_size": 8}
    columns, rows = processor.get_n_patches(picture.size, **option)  # takes width and height
    grid = vectors[processor.get_image_mask(inputs)[0]].reshape(rows, columns, -1)
    return torch.einsum("nk,jik->nij", query, grid)


@pytest.mark.parametrize("kind", ["colpali", "colqwen2", "colqwen2.5", "colidefics3", "colmodernvbert"])
def test_maps_are_those_of_the_engine(encoders: dict[str, ImagePageEncoder], draw: Draw, kind: str) -> None:
    # At this size every way of counting ColIdefics3's patches agrees.
    page = draw(noise(4, (96, 128)))
    found = alone(encoders[kind], page)
    query = np.random.default_rng(1).standard_normal((3, found.vectors.shape[1])).astype(np.float32)
    own = page_map(QueryVectors(query, ("a", "b", "c")), found, 0)
    assert own is not None and found.grid is not None
    theirs = engine_maps(encoders[kind], page, torch.from_numpy(query), torch.from_numpy(found.vectors))
    assert np.abs(own.reshape(3, *found.grid) - theirs.numpy().transpose(0, 2, 1)).max() < 1e-5


def test_where_tokens_fit_no_grid_there_is_none(encoders: dict[str, ImagePageEncoder], draw: Draw) -> None:
    for kind, number in {"colpali": "image_seq_length", "colidefics3": "image_seq_len"}.items():
        processor = encoders[kind]._processor
        inputs = dict(processor.process_images(images=[Image.fromarray(noise(1).astype(np.uint8))]))
        place = (inputs["input_ids"][0] == processor.image_token_id).nonzero()[0]
        inputs["input_ids"][0, place] = 0
        assert page_image_encoder.patch_grid(processor, inputs, SIZE) is None, number


def test_only_the_questions_own_tokens_are_shown(encoder: ImagePageEncoder) -> None:
    query = encoder.encode_query(QUESTION)
    assert "".join(query.tokens) == QUESTION.replace(" ", "")
    assert len(query.vectors) == len(query.tokens) > len([token for token in query.tokens if token]) + 9
    assert np.abs(np.linalg.norm(query.vectors, axis=1) - 1).max() < 1e-5
    # Augmentation tokens stand at the end; prefixes and special tokens at the beginning.
    assert query.tokens[-9:] == ("",) * 9


@pytest.mark.parametrize("text", ["x", "7", "x 7 x", "<image>", "\ud800 half a pair", "ß" * 300])
def test_any_question_can_be_asked(encoder: ImagePageEncoder, text: str) -> None:
    query = encoder.encode_query(text)
    assert len(query.vectors) == len(query.tokens) and np.isfinite(query.vectors).all()


def test_a_question_cannot_speak_in_special_tokens(encoder: ImagePageEncoder) -> None:
    tokenizer = encoder._processor.tokenizer

    def specials(text: str) -> int:
        ids = encoder._query(text)["input_ids"][0].tolist()
        return sum(token in {*tokenizer.all_special_ids, encoder._processor.image_token_id} for token in ids)

    for special in {*tokenizer.all_special_tokens, encoder._processor.image_token}:
        assert specials(f"x {special} y") == specials("x y"), special


def test_a_page_that_cannot_be_seen_has_no_vectors_and_takes_none_with_it(
    encoders: dict[str, ImagePageEncoder], draw: Draw, tmp_path: Path
) -> None:
    encoder, good = encoders["colqwen2"], draw(noise(1))
    (tmp_path / "broken.png").write_bytes(b"\x89PNG\r\n\x1a\n no picture")
    missing, broken = (PageView(LAYOUT, tmp_path / name) for name in ("missing.png", "broken.png"))
    line = draw(np.zeros((1000, 2, 3)))
    found, _ = encoder.encode_pages([missing, good, broken, line, PageView(LAYOUT)], go)
    assert [len(page.vectors) > 0 for page in found] == [False, True, False, False, False]
    assert np.abs(found[1].vectors - alone(encoder, good).vectors).max() < 1e-5


def test_short_memory_halves_the_batch(
    encoders: dict[str, ImagePageEncoder], draw: Draw, monkeypatch: pytest.MonkeyPatch
) -> None:
    encoder, limit, sizes = encoders["colpali"], 1, []
    forward = ImagePageEncoder._forward

    def tight(self: ImagePageEncoder, inputs: Any) -> np.ndarray:
        sizes.append(len(inputs))
        if len(inputs) > limit:
            raise torch.cuda.OutOfMemoryError
        return forward(self, inputs)

    pages = [draw(noise(seed)) for seed in range(4)]
    expected, _ = encoder.encode_pages(pages, go)
    monkeypatch.setattr(ImagePageEncoder, "_forward", tight)
    found, _ = encoder.encode_pages(pages, go)
    assert sizes == [4, 2, 1, 1, 2, 1, 1]
    assert all(np.abs(a.vectors - b.vectors).max() < 1e-5 for a, b in zip(found, expected, strict=True))
    limit = 0
    with pytest.raises(ModelError, match="not enough GPU memory for one page"):
        encoder.encode_pages(pages[:1], go)


def test_the_key_names_the_weights(encoders: dict[str, ImagePageEncoder]) -> None:
    keys = {encoder.key for encoder in encoders.values()}
    assert len(keys) == len(encoders)


# ---- What is loaded


def test_an_adapter_is_in_the_vectors(encoders: dict[str, ImagePageEncoder], folders: dict[str, Path]) -> None:
    base = load(folders["colpali-adapter"].parent / "base")
    adapter = load_file(folders["colpali-adapter"] / "adapter_model.safetensors")
    prefix = "base_model.model.custom_text_proj.lora_"
    # LoRA: W + (alpha / r) B A, with alpha 8 and r 4.
    expected = base._model.custom_text_proj.weight + 2 * adapter[f"{prefix}B.weight"] @ adapter[f"{prefix}A.weight"]
    plain, merged = (one._model.custom_text_proj.weight for one in (base, encoders["colpali-adapter"]))
    assert torch.allclose(merged, expected, atol=1e-6) and not torch.allclose(merged, plain)


def changed(folder: Path, to: Path, change: Callable[[dict[str, torch.Tensor]], dict[str, torch.Tensor]]) -> Path:
    """A copy of a checkpoint with other weights in its file."""
    shutil.copytree(folder, to)
    file = next(to.glob("*model.safetensors"))
    save_file(change(load_file(file)), file, metadata={"format": "pt"})
    return to


def test_an_adapter_with_older_names_is_the_same(
    encoders: dict[str, ImagePageEncoder], folders: dict[str, Path], tmp_path: Path, draw: Draw
) -> None:
    new, old = "model.model.language_model.layers", "model.language_model.model.layers"
    folder = changed(
        folders["colpali-adapter"],
        tmp_path / "older",
        lambda weights: {name.replace(new, old): values for name, values in weights.items()},
    )
    assert any(old in name for name in load_file(folder / "adapter_model.safetensors"))
    page = draw(noise(2))
    difference = alone(load(folder), page).vectors - alone(encoders["colpali-adapter"], page).vectors
    assert np.abs(difference).max() < 1e-6


@pytest.mark.parametrize("kind", ["colpali", "colpali-native", "colidefics3", "colqwen2-native"])
def test_missing_weights_are_refused(folders: dict[str, Path], tmp_path: Path, kind: str) -> None:
    def without(weights: dict[str, torch.Tensor]) -> dict[str, torch.Tensor]:
        gone = next(name for name in weights if "proj" in name or "linear" in name)
        return {name: values for name, values in weights.items() if name != gone}

    folder = changed(folders[kind], tmp_path / "less", without)
    with pytest.raises(ModelError, match=r"lacks weights .* \(1 in all\)\. They would be random"):
        load(folder)


@pytest.mark.parametrize("change", ["a weight less", "another module", "no weight"])
def test_an_adapter_that_does_not_fit_is_refused(folders: dict[str, Path], tmp_path: Path, change: str) -> None:
    def broken(weights: dict[str, torch.Tensor]) -> dict[str, torch.Tensor]:
        if change == "a weight less":
            return dict(list(weights.items())[1:])
        if change == "another module":
            return {name.replace("q_proj", "qq_proj"): values for name, values in weights.items()}
        return {"base_model.model.other": torch.zeros(1)}

    with pytest.raises(ModelError, match="does not fit its base"):
        load(changed(folders["colpali-adapter"], tmp_path / "adapter", broken))


def test_what_is_no_page_encoder_is_named(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match=r"is no page encoder .* says llama.*ColPali.*W_LENS_PAGE_ENCODER"):
        load(checkpoints.llama(tmp_path / "llama"))


@pytest.mark.parametrize("content", ["", "no json", "[]"])
def test_a_broken_checkpoint_is_a_clear_error(tmp_path: Path, content: str) -> None:
    (tmp_path / "config.json").write_text(content)
    with pytest.raises(ModelError, match=r"could not be loaded|no page encoder"):
        load(tmp_path)


def test_a_folder_that_is_not_there_is_a_clear_error(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="could not be loaded"):
        load(tmp_path / "missing")


def test_an_adapter_without_its_base_is_a_clear_error(folders: dict[str, Path], tmp_path: Path) -> None:
    folder = tmp_path / "adapter"
    shutil.copytree(folders["colpali-adapter"], folder)
    config = json.loads((folder / "adapter_config.json").read_text())
    config["base_model_name_or_path"] = str(tmp_path / "nowhere")
    (folder / "adapter_config.json").write_text(json.dumps(config))
    with pytest.raises(ModelError, match="could not be loaded"):
        load(folder)


def test_pages_of_any_size_have_a_bound_on_their_tokens(encoders: dict[str, ImagePageEncoder], draw: Draw) -> None:
    found = alone(encoders["colqwen2"], draw(noise(1, (1400, 2000))))
    assert found.grid is not None and 600 < found.grid[0] * found.grid[1] <= PAGE_VISUAL_TOKENS
