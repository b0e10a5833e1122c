"""Links between the documents lead somewhere, and the files and templates that they name exist."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from graph_memory.storage.templates import template_names

ROOT = Path(__file__).parents[3]
DOCUMENTS = [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").glob("*.md"))]
PACKAGE = ROOT / "graph_memory"
PLACES = "tests|docs|scripts|examples|benchmarks|cypher|graph_memory|_async|_sync"
FOLDERS = "|".join(sorted({name.split("/")[0] for name in template_names()}))


def prose(document: Path) -> str:
    """The text of a document without its fenced blocks."""
    return re.sub(r"^```.*?^```", "", document.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)


def anchors(document: Path) -> set[str]:
    """The anchors of a document's headings."""
    headings = re.findall(r"^#+ (.+)$", prose(document), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def leads_nowhere(document: Path, link: str) -> bool:
    path, _, anchor = link.partition("#")
    target = (document.parent / path) if path else document
    return not target.exists() or bool(anchor and anchor not in anchors(target))


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_every_link_to_a_file_or_heading_leads_there(document: Path) -> None:
    links = [link for link in re.findall(r"\]\(([^)\s]+)\)", prose(document)) if "://" not in link]
    assert [link for link in links if leads_nowhere(document, link)] == []


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_the_project_files_that_are_named_exist(document: Path) -> None:
    named = re.findall(rf"`((?:{PLACES})/[\w./*]+)`", prose(document))
    assert [name for name in named if not any(list(b.glob(name.rstrip("/"))) for b in (ROOT, PACKAGE))] == []


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_the_templates_that_are_named_exist(document: Path) -> None:
    named = set(re.findall(rf"`((?:{FOLDERS})/[a-z0-9_]+)`", prose(document)))
    assert named - set(template_names()) == set()


def test_the_architecture_names_every_package() -> None:
    text = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    packages = {path.parent.name for path in PACKAGE.glob("*/__init__.py")}
    assert {package for package in packages if f"{package}/" not in text} == set()


def test_the_page_of_queries_names_the_templates_of_every_read_and_write() -> None:
    text = (ROOT / "docs" / "queries.md").read_text(encoding="utf-8")
    wanted = [name for name in template_names() if name.startswith(("read/", "write/", "verify/", "evidence/"))]
    assert [name for name in wanted if f"`{name}`" not in text] == []
