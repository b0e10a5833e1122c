"""The rooms of the house: arrows go one way, pure modules wait for nothing, names mean one thing."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

import graph_memory

PACKAGE = Path(graph_memory.__file__).parent
# Bottom up: a package imports what stands before it.
PURE = (
    "errors", "domain", "ledger", "storage", "graph", "schema", "episodes", "queue", "candidates", "search",
    "providers", "entities", "extraction", "questions", "context", "lifecycle",
)  # fmt: skip
ABOVE = ("local", "_async", "_sync", "worker", "cli", "integrations", "evaluation")
LAYERS = (*PURE, *ABOVE)
SHELL = (
    "storage", "schema", "ledger", "graph", "queue", "search", "episodes", "entities", "extraction", "questions",
    "lifecycle", "services", "tenant", "memory",
)  # fmt: skip
PUBLIC_ONLY = ("integrations", "evaluation")
MOST_LINES = 400
MOST_MODULES = 15
# What a pure module neither imports nor calls: the driver, ids by chance, clocks, connections, processes.
IMPURE_IMPORTS = {
    "neo4j", "uuid", "secrets", "time", "socket", "ssl", "http", "urllib.request", "requests", "httpx",
    "subprocess", "threading", "multiprocessing",
}  # fmt: skip
IMPURE_PREFIXES = tuple(f"{module}." for module in sorted(IMPURE_IMPORTS))
IMPURE_CALLS = {"now", "utcnow", "today", "monotonic", "uuid4", "urandom", "Random", "SystemRandom"}


def name_of(path: Path) -> str:
    parts = path.relative_to(PACKAGE).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {
    name_of(path): path
    for path in sorted(PACKAGE.rglob("*.py"))
    if name_of(path) and not any(part.startswith(".") for part in path.parts)
}
WRITTEN = {name: path for name, path in MODULES.items() if not name.startswith("_sync")}
TREES = {name: ast.parse(path.read_text(encoding="utf-8")) for name, path in MODULES.items()}


def is_for_types(node: ast.AST) -> bool:
    return isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"


def running(tree: ast.AST) -> Iterator[ast.AST]:
    """Every node of a module but those that only type checkers see."""
    for node in ast.iter_child_nodes(tree):
        if not is_for_types(node):
            yield node
            yield from running(node)


def imported(name: str) -> set[str]:
    """The modules of the package that a module imports when it runs, wherever the import stands."""
    found = set()
    for node in running(TREES[name]):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.split(".")[0] == "graph_memory":
            base = node.module.removeprefix("graph_memory").lstrip(".")
            for alias in node.names:
                inner = f"{base}.{alias.name}".lstrip(".")
                found.add(inner if inner in MODULES else base)
    return found - {name}


def layer(name: str) -> str:
    return name.split(".")[0]


IMPORTS = {name: imported(name) for name in MODULES}


def pure_modules() -> Iterable[str]:
    return (name for name in MODULES if layer(name) in PURE)


def upward(modules: Iterable[str], order: tuple[str, ...], place: int) -> list[str]:
    """The imports among modules that lead from a room to one above it; `place` is where a name says its room."""
    found = []
    for name in modules:
        for other in IMPORTS[name]:
            here, there = name.split(".")[place], other.split(".")[place] if other.count(".") >= place else ""
            if there in order and order.index(there) > order.index(here):
                found.append(f"{name} -> {other}")
    return found


def test_every_package_has_its_place_in_the_order() -> None:
    assert {layer(name) for name in MODULES} - set(LAYERS) - {"__main__"} == set()


def test_imports_lead_down_from_package_to_package() -> None:
    inside = [name for name in MODULES if layer(name) in LAYERS]
    assert upward(inside, LAYERS, 0) == []


@pytest.mark.parametrize("face", ["_async", "_sync"])
def test_imports_lead_down_within_the_shell(face: str) -> None:
    inside = [name for name in MODULES if name.startswith(f"{face}.")]
    assert {name.split(".")[1] for name in inside} - set(SHELL) == set()
    below = [f"{name} -> {other}" for name in inside for other in IMPORTS[name] if layer(other) in ABOVE[3:]]
    assert below == []
    own = {name: {other for other in IMPORTS[name] if other.startswith(f"{face}.")} for name in inside}
    assert [
        f"{name} -> {other}"
        for name, others in own.items()
        for other in others
        if SHELL.index(other.split(".")[1]) > SHELL.index(name.split(".")[1])
    ] == []


def test_no_modules_import_each_other_in_a_circle() -> None:
    try:
        list(TopologicalSorter(IMPORTS).static_order())
    except CycleError as error:
        pytest.fail(f"a circle of imports: {' -> '.join(error.args[1])}")


def test_no_packages_import_each_other_in_a_circle() -> None:
    between: dict[str, set[str]] = {}
    for name, others in IMPORTS.items():
        for other in others:
            if layer(other) != layer(name):
                between.setdefault(layer(name), set()).add(layer(other))
    try:
        list(TopologicalSorter(between).static_order())
    except CycleError as error:
        pytest.fail(f"a circle of packages: {' -> '.join(error.args[1])}")


def test_pure_modules_have_no_driver_clock_chance_or_connection() -> None:
    found = []
    for name in pure_modules():
        for node in running(TREES[name]):
            if isinstance(node, ast.Import):
                modules = {alias.name for alias in node.names}
            elif isinstance(node, ast.ImportFrom):
                modules = {node.module or ""}
            else:
                modules = set()
            found += [f"{name} imports {module}" for module in modules if f"{module}.".startswith(IMPURE_PREFIXES)]
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute | ast.Name):
                called = node.func.attr if isinstance(node.func, ast.Attribute) else node.func.id
                found += [f"{name} calls {called}()"] if called in IMPURE_CALLS else []
    assert found == []


def test_private_attributes_are_used_by_their_own_class_alone() -> None:
    """A worker, the command line and the integrations know a memory by its public names."""
    found = []
    for name in MODULES:
        if layer(name) not in ABOVE[3:]:
            continue
        for node in ast.walk(TREES[name]):
            if (
                isinstance(node, ast.Attribute)
                and node.attr.startswith("_")
                and not node.attr.startswith("__")
                and not (isinstance(node.value, ast.Name) and node.value.id in ("self", "cls"))
            ):
                found.append(f"{name}:{node.lineno} uses {ast.unparse(node)}")
    assert found == []


def test_integrations_and_evaluation_use_the_public_api_only() -> None:
    found = []
    for name in MODULES:
        if layer(name) in PUBLIC_ONLY:
            found += [f"{name} -> {other}" for other in IMPORTS[name] if other and layer(other) != layer(name)]
    assert found == []


def test_a_module_fits_in_a_head() -> None:
    long = {name: len(path.read_text(encoding="utf-8").splitlines()) for name, path in WRITTEN.items()}
    assert {name: lines for name, lines in long.items() if lines > MOST_LINES} == {}


def test_a_package_is_taken_in_at_a_glance() -> None:
    counts = Counter(path.parent for path in WRITTEN.values() if path.name not in ("__init__.py", "__main__.py"))
    assert {str(folder): count for folder, count in counts.items() if count > MOST_MODULES} == {}


def test_every_pure_module_has_a_unit_test_of_its_own() -> None:
    """Modules that hold nothing but records or words are tested with what uses them."""
    tests = "\n".join(path.read_text(encoding="utf-8") for path in Path(__file__).parent.rglob("*.py"))
    untested = []
    for name in pure_modules():
        package, _, module = name.rpartition(".")
        if not package or module in ("records", "stop_words"):
            continue
        used = rf"from graph_memory\.{package} import .*\b{module}\b|from graph_memory\.{package}\.{module} import"
        if not re.search(used, tests):
            untested.append(name)
    assert untested == []


def test_every_package_says_what_it_is_for() -> None:
    packages = [name for name, path in MODULES.items() if path.name == "__init__.py"]
    assert [name for name in packages if len((ast.get_docstring(TREES[name]) or "").splitlines()) < 3] == []


def test_a_class_name_means_one_thing() -> None:
    names = Counter(
        node.name for name in WRITTEN for node in ast.walk(TREES[name]) if isinstance(node, ast.ClassDef)
    )
    assert [name for name, count in names.items() if count > 1] == []
