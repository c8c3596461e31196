"""Which module may know which, and what `from arena import …` offers."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import arena

PACKAGE = Path(arena.__file__).parent
MODULES = {
    ".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts).removesuffix(".__init__"): path
    for path in PACKAGE.rglob("*.py")
    if "agents" not in path.parts
}


def imports(path: Path, at_import_time: bool = False) -> set[str]:
    """The modules that a file imports, anywhere or only when it is imported itself."""
    tree = ast.parse(path.read_text())
    found: set[str] = set()
    for node in tree.body if at_import_time else ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {node.module} | {f"{node.module}.{alias.name}" for alias in node.names}
    return found


def test_games_know_only_the_contract() -> None:
    for name, path in MODULES.items():
        if name.startswith("arena.games."):
            known = {module for module in imports(path) if module.split(".")[0] == "arena"}
            parts = {module for module in known if module.startswith("arena.games._")}
            assert {module.split(".")[1] for module in known - parts} <= {"game", "errors"}, name


def test_a_match_knows_neither_ray_nor_disk() -> None:
    for name in ("match", "players", "schedule", "rating"):
        path = PACKAGE / f"{name}.py"
        if path.exists():
            assert not imports(path) & {"ray", "sqlite3", "pathlib", "arena.store"}, name


def test_one_module_imports_ray_and_one_the_store_and_both_late() -> None:
    users = {
        name for name, path in MODULES.items() if "ray" in {m.split(".")[0] for m in imports(path)}
    }
    assert len(users) <= 1
    assert all("ray" not in imports(MODULES[name], at_import_time=True) for name in users)
    assert {name for name, path in MODULES.items() if "sqlite3" in imports(path)} <= {
        "arena.store",
        "arena.verification",
    }


def test_only_the_command_line_prints() -> None:
    """And the programs that run a bot in its own process."""
    for name, path in MODULES.items():
        if not name.startswith(("arena.cli", "arena.runner", "arena.keeper")):
            calls = {
                node.func.id
                for node in ast.walk(ast.parse(path.read_text()))
                if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
            }
            assert "print" not in calls and "click" not in imports(path), name


def test_no_bundled_bot_is_imported_by_name() -> None:
    assert not any(
        module.startswith("agents") for path in MODULES.values() for module in imports(path)
    )


def test_help_imports_nothing_heavy() -> None:
    script = (
        "import sys\nfrom arena.cli import main\n"
        "try:\n    main(['--help'])\nexcept SystemExit:\n    pass\n"
        "print(*sorted({name.split('.')[0] for name in sys.modules}), file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    loaded = set(done.stderr.split())
    assert not loaded & {
        "ray",
        "numpy",
        "pydantic",
        "tabulate",
        "rich",
        "pyarrow",
        "sqlite3",
        "openskill",
    }
    assert "Commands:" in done.stdout


def test_exported_names() -> None:
    assert arena.__all__ == sorted(arena.__all__)
    assert all(getattr(arena, name).__name__ == name for name in arena.__all__)
