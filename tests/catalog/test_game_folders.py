"""Reads game folders, and reports errors in them."""

from pathlib import Path

import pytest

from gwray.catalog import Catalog, load_catalog, read_game, task_identity
from gwray.catalog.site import site
from gwray.errors import GameError, UsageError

GOOD = """\
id: my_game
title: Mine
genre: puzzle
level: 4
summary: A game
rules: Play it.
roles:
  - name: player
    description: You
    keys: [Space]
    controls:
      - {id: go, description: Go, press: Space}
tasks:
  - id: m_1
    instruction: Go
    score: game_state.score
    target: 3
  - id: m_2
    instruction: Go on
    score: game_state.score
    target: 5
"""


def folder(root: Path, text: str = GOOD, name: str = "my_game") -> Path:
    here = root / name
    here.mkdir(parents=True, exist_ok=True)
    (here / "index.html").write_text("<title>x</title>")
    (here / "game.yaml").write_text(text)
    return here / "game.yaml"


def library(root: Path, text: str = "") -> Path:
    """Writes the `library.yaml` of a folder of games."""
    root.mkdir(parents=True, exist_ok=True)
    said = "id: mine\ntitle: Mine\ncategories: [puzzle, runner]\nlevels: {1: easy, 4: hard}\n"
    (root / "library.yaml").write_text(text or said)
    return root


def test_a_game_is_one_folder(tmp_path):
    game = read_game(folder(tmp_path))
    assert game.roles[0].controls[0].press == ("Space",)
    assert [t.target for t in game.tasks] == [3, 5]


SIGNED = """state: memory
signatures:
  - pattern: "51 ??"
    fields: {player.x: {offset: 2, type: f64}}
"""


@pytest.mark.parametrize(
    ("old", "new", "line", "words"),
    [
        ("genre: puzzle", "genre: chess", 3, "has the categories puzzle, runner"),
        ("level: 4", "level: 9", 4, "has the levels 1, 4"),
        ("press: Space", "press: Enter", 8, "presses 'Enter'"),
        ("press: Space", "prss: Space", 12, "prss"),
        ("target: 5", "target: 0", 18, "target equals start"),
        ("id: m_2", "id: m_1", 1, "two tasks"),
        ("id: my_game", "id: other", 1, "differs from the folder name"),
        ("level: 4", "level: 4\nstate: memory", 1, "`state: memory` requires `signatures`"),
        ("level: 4", f"level: 4\nkind: grid\n{SIGNED}", 1, "requires a page, but `kind: grid` is not one"),
        ("level: 4", f"level: 4\n{SIGNED.replace('51 ??', '51 5g')}", 7, "'5g' is neither a byte such as 4f nor ??"),
        ("level: 4", f"level: 4\n{SIGNED.replace('51 ??', '?? ??')}", 7, "needs at least one byte"),
        ("level: 4", f"level: 4\n{SIGNED.replace('f64', 'f16')}", 8, "must be 'f32', 'f64'"),
        ("level: 4", f"level: 4\n{SIGNED.replace('f64', 'f64, words: [no]')}", 8, "`words` requires an integer type"),
        ("level: 4", f"level: 4\n{SIGNED}{SIGNED[26:]}", 1, "two signatures have the field 'player.x'"),
        ("level: 4", f"level: 4\n{SIGNED.replace('player.x', 'terminal')}", 1, "cannot have the field 'terminal'"),
        ("level: 4", f"level: 4\n{SIGNED}{SIGNED[26:].replace('player.x', 'player')}", 1, "is part of its field"),
        ("title: Mine", "title: [", 4, "not valid YAML"),
    ],
)
def test_errors_name_file_line_and_allowed_values(tmp_path, old, new, line, words):
    file = folder(library(tmp_path), GOOD.replace(old, new))
    with pytest.raises(GameError) as e:
        read_game(file)
    assert f"{file}:{line}:" in str(e.value)
    assert words in str(e.value)


def test_an_unknown_game_gets_the_nearest_names(tmp_path):
    folder(tmp_path)
    with pytest.raises(UsageError, match="Did you mean my_game"):
        Catalog([tmp_path]).game("my-game")


def test_selecting_by_genre_level_id_and_number(tmp_path):
    folder(tmp_path)
    folder(tmp_path, GOOD.replace("my_game", "run_it").replace("puzzle", "runner").replace("m_", "r_"), "run_it")
    library = Catalog([tmp_path])

    def ids(games, tasks):
        return [t.id for _, t in library.select(games, tasks)]

    assert ids(["all"], ["all"]) == ["m_1", "m_2", "r_1", "r_2"]
    assert ids(["genre:runner"], ["all"]) == ["r_1", "r_2"]
    assert ids(["level:4"], ["2"]) == ["m_2", "r_2"]
    assert ids(["my_game", "run_it"], ["r_1"]) == ["r_1"]
    for games, tasks in ((["genre:chess"], ["all"]), (["level:7"], ["all"]), (["all"], ["x_9"])):
        with pytest.raises(UsageError, match="does not exist"):
            ids(games, tasks)


def test_a_second_game_of_an_id_is_named_after_its_library(tmp_path):
    folder(tmp_path / "a")
    folder(tmp_path / "b")
    folder(tmp_path / "c" / "b")
    catalog = Catalog([], [tmp_path / "a", tmp_path / "b", tmp_path / "c" / "b"])
    assert [*catalog.games] == ["my_game", "b/my_game", "b-2/my_game"]


def test_a_tasks_text_changes_that_task_alone(tmp_path):
    before = read_game(folder(tmp_path))
    after = read_game(folder(tmp_path, GOOD.replace("instruction: Go on", "instruction: Go further")))
    assert task_identity(before, before.tasks[0]) == task_identity(after, after.tasks[0])
    assert task_identity(before, before.tasks[1]) != task_identity(after, after.tasks[1])


def test_library_without_yaml_takes_folder_name(tmp_path):
    folder(tmp_path / "My games", GOOD.replace("genre: puzzle\nlevel: 4\n", ""))
    found = Catalog([tmp_path / "My games"])
    assert found.library_of("my_game").id == "my-games"
    assert [g.id for g, _ in found.select(["library:my-games"], ["1"])] == ["my_game"]


def test_selectors_default_to_first_library(tmp_path):
    folder(library(tmp_path / "a"))
    folder(library(tmp_path / "b", "id: harbor\ncategories: [fishing]\n"),
           GOOD.replace("my_game", "net").replace("puzzle", "fishing"), "net")  # fmt: skip
    found = Catalog([tmp_path / "a", tmp_path / "b"])

    def games(*words):
        return sorted({g.id for g, _ in found.select(words, ["all"])})

    assert games("all") == games("category:puzzle") == games("level:4") == ["my_game"]
    assert games("library:harbor") == games("net") == games("category:harbor/fishing") == ["net"]
    assert games("all", "library:harbor") == ["my_game", "net"]
    for word in ("library:harbour", "category:fishing", "genre:mine/fishing", "level:2", "level:harbour/4"):
        with pytest.raises(UsageError, match=r"does not exist.*Allowed"):
            games(word)


def test_game_may_be_named_as_its_library(tmp_path):
    folder(library(tmp_path / "net", "id: net\n"), GOOD.replace("my_game", "net"), "net")
    found = Catalog([tmp_path / "net"])
    assert [t.id for _, t in found.select(["net"], ["1"])] == [t.id for _, t in found.select(["net:net"], ["1"])]


def test_library_defaults_apply_to_games(tmp_path):
    folder(library(tmp_path, "id: mine\ndefaults: {my_game: {action.per_reply: 3}}\n"))
    before, after = read_game(tmp_path / "my_game/game.yaml"), Catalog([tmp_path]).game("my_game")
    assert (before.per_reply, after.per_reply) == (1, 3)
    library(tmp_path, "id: mine\ndefaults: {my_gam: {action.per_reply: 3}}\n")
    with pytest.raises(UsageError, match=r"my_gam.*library.yaml"):
        Catalog([tmp_path])
    library(tmp_path, "id: mine\ndefaults: {my_game: {action.hold: 3}}\n")
    with pytest.raises(UsageError, match=r"library\.yaml: defaults"):
        Catalog([tmp_path])


def test_the_bundled_games_are_in_gameworld():
    found = load_catalog()
    assert next(iter(found.libraries)) == "gameworld" and len(found.select(["all"], ["all"])) == 170
    assert found.libraries["gameworld"].levels[4] == "reasoning and strategy"


def test_a_copied_game_gets_the_bundled_folders(tmp_path):
    for game, _ in load_catalog().select(["all"], ["all"]):
        site(tmp_path / "lib" / game.id, game.uses)


@pytest.mark.parametrize("use", ["/", "/etc", "..", ".", "../..", "../../../../..", "../my_game", "../absent"])
def test_uses_must_be_a_folder_near_the_game(tmp_path, use):
    file = folder(tmp_path / "lib", GOOD.replace("rules:", f"uses: [../../kit, {use}]\nrules:"))
    with pytest.raises(GameError) as e:
        read_game(file)
    assert f"{file}:6: uses.1: '{use}' is " in str(e.value)
    assert "such as ../shared" in str(e.value) or "not a folder" in str(e.value)


def test_game_with_too_many_files_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr("gwray.catalog.site.MAX_FILES", 20)
    file = folder(tmp_path, GOOD.replace("rules:", "uses: []\nrules:"))
    for n in range(20):
        (file.parent / f"{n}.txt").write_text("x")
    with pytest.raises(GameError, match=r"game: more than 20 files .* in .*my_game"):
        read_game(file)


def bomb(levels: int) -> str:
    """Nine aliases in each list, `levels` deep."""
    lists = ["- &a0 [" + ", ".join("x" * 9) + "]"]
    lists += [f"- &a{n} [" + ", ".join([f"*a{n - 1}"] * 9) + "]" for n in range(1, levels)]
    return "".join(f"        {line}\n" for line in lists)


def test_aliases_that_multiply_are_refused_with_the_line(tmp_path):
    text = f"{GOOD}    end:\n      field: game_state.score\n      value:\n{bomb(7)}"
    with pytest.raises(GameError, match=r"game\.yaml:\d+: not valid YAML: its aliases expand to more than 200,000"):
        read_game(folder(tmp_path, text))
    with pytest.raises(GameError, match="an alias is inside the value that it names"):
        read_game(folder(tmp_path, f"{GOOD}    end: {{field: game_state.score, value: &a [*a]}}\n"))
    read_game(folder(tmp_path, text.replace(bomb(7), bomb(3))))
