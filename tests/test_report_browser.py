"""The page in Chromium: everything lights up together, by pointer and by keyboard, and nothing is fetched."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

import ssarel
from ssarel import report
from ssarel.explain import find

pytestmark = pytest.mark.browser

SMALL = """\
function count_to(n) {
  let i = 0;
  while (i < n) {
    i = i + 1;
  }
  return i;
}
function choose(c) { let x = 1; if (c) x = 2; return x; }
"""


def branches(count: int) -> str:
    """A function of 3 blocks a branch, and a few."""
    lines = [f"  if (a > {at}) {{ x = x + {at}; }} else {{ x = {at}; }}" for at in range(count)]
    return "\n".join(["function big(a) {", "  let x = 0;", *lines, "  return x;", "}"])


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        yield opened
        opened.close()


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("report")
    for name, text in (("small", SMALL), ("medium", branches(16)), ("large", branches(1700))):
        (folder / f"{name}.js").write_text(text)
        with ssarel.analyze(folder / f"{name}.js") as database:
            places = find.functions(database.connection)[1:]
            (folder / f"{name}.html").write_text("".join(report.page(database.connection, places)))
    return folder


class Opened:
    """A page, and all that it said and asked for."""

    def __init__(self, page: Page, path: Path) -> None:
        self.page = page
        self.said: list[str] = []
        page.on("console", lambda message: self.said.append(message.text))
        page.on("pageerror", lambda error: self.said.append(str(error)))
        page.on(
            "request",
            lambda asked: self.said.append(asked.url) if not asked.url.startswith(("file:", "blob:")) else None,
        )
        page.goto(path.as_uri())
        self.drawn()

    def drawn(self) -> None:
        self.page.wait_for_selector("body[data-ready=graph]", timeout=60_000)
        self.page.wait_for_selector("#graph svg", timeout=60_000)

    def texts(self, selector: str) -> list[str]:
        return [text.strip() for text in self.page.locator(selector).all_text_contents()]


@pytest.fixture
def small(browser: Browser, pages: Path) -> Iterator[Opened]:
    page = browser.new_page(viewport={"width": 1500, "height": 950}, color_scheme="light")
    opened = Opened(page, pages / "small.html")
    yield opened
    page.close()
    assert opened.said == []


def test_a_value_lights_up_in_every_pane(small: Opened) -> None:
    small.page.locator("#graph .phi").first.click()
    assert small.texts("#source .tok.hot") == ["i", "i", "i", "i"]
    assert [text[:1] for text in small.texts("#source .line.hit")] == ["3", "4", "6"]
    assert set(small.texts("#text .tok.hot .af")) == {"i.2"}
    assert small.texts("#tables .tok.hot") == ["i.2"]
    assert small.page.locator("#graph .node.hot .title").all_text_contents() == ["bb1"]
    assert "has a phi: i.2 = phi(bb0: i.1, bb3: i.3)" in small.page.inner_text("#why")


def test_a_block_lights_up_with_its_frontier_and_what_it_dominates(small: Opened) -> None:
    small.page.locator("#text .head", has_text=re.compile("^bb3")).first.click()
    assert small.texts("#graph .node.hot .title") == ["bb3"]
    assert small.texts("#graph .node.df .title") == ["bb1"]
    assert small.texts("#source .line.hit .no") == ["3", "4"]
    small.page.locator("#graph .node .title", has_text="bb1").click()
    assert small.texts("#graph .node.dom .title") == ["bb3", "bb2"]


def test_a_line_and_a_variable_light_up(small: Opened) -> None:
    small.page.locator("#source .line .no", has_text="4").click()
    assert small.texts("#graph .node.hit .title") == ["bb3"]
    assert len(small.texts("#text .ins.hot")) == 4
    small.page.locator("#source .tok", has_text="n").first.click()
    assert set(small.texts("#text .tok.hot .af")) == {"n.1"}
    assert "n param" in small.page.inner_text("#why")


def test_hover_and_focus_explain_a_phi(small: Opened) -> None:
    small.page.locator("#graph .phi").first.hover()
    assert "bb1 is in the frontier of bb3" in small.page.inner_text("#tip")
    small.page.locator("#title").hover()
    assert small.page.is_hidden("#tip")


def test_the_keyboard_reaches_everything(small: Opened) -> None:
    focused = "document.activeElement.dataset.kind + document.activeElement.dataset.id"
    small.page.keyboard.press("2")
    assert small.page.evaluate(focused) == "b0"
    small.page.keyboard.press("ArrowDown")
    assert small.page.evaluate(focused) == "b1"
    small.page.keyboard.press("Enter")
    assert small.texts("#graph .node.hot .title") == ["bb1"]
    small.page.keyboard.press("ArrowRight")
    assert small.page.evaluate(focused).startswith("x")
    small.page.keyboard.press("Escape")
    assert small.page.locator(".hot, .hit, .df, .dom").count() == 2  # the legend
    small.page.keyboard.press("1")
    small.page.keyboard.press("End")
    small.page.keyboard.press("ArrowUp")
    small.page.keyboard.press(" ")
    assert small.page.locator("#source .hot").count() >= 1
    small.page.keyboard.press("b")
    assert small.page.inner_text("#stage") == "Before SSA"
    assert "i.2" not in small.page.inner_text("#text")
    small.page.keyboard.press("g")
    small.page.wait_for_selector('svg[aria-label="dominator tree"]')
    small.page.keyboard.press("?")
    assert small.page.is_visible("#help")
    for _ in range(3):
        small.page.keyboard.press("Tab")


def test_every_button_and_item_has_a_name_and_is_in_the_tab_order_of_its_pane(small: Opened) -> None:
    nameless = (
        "[...document.querySelectorAll('button, .it')].filter(e => !(e.textContent || e.ariaLabel).trim()).length"
    )
    assert small.page.evaluate(nameless) == 0
    for pane in ("source", "graph", "text", "tables", "list"):
        assert small.page.locator(f'#{pane} .it[tabindex="0"]').count() == 1, pane


def test_the_list_finds_and_opens_functions(small: Opened) -> None:
    small.page.keyboard.press("/")
    small.page.keyboard.type("cho")
    assert small.texts("#list .fn .name") == ["choose"]
    assert small.page.inner_text("#found") == "1 of 2 functions"
    small.page.locator("#list .fn").click()
    small.page.wait_for_selector("#title:text('choose')")
    small.drawn()
    assert small.texts("#graph .node .title")[0] == "bb0"


def test_light_and_dark(browser: Browser, pages: Path) -> None:
    page = browser.new_page(color_scheme="dark")
    opened = Opened(page, pages / "small.html")
    colour = "getComputedStyle(document.body).backgroundColor"
    dark = page.evaluate(colour)
    page.click("#theme")
    assert (dark, page.evaluate(colour)) == ("rgb(20, 23, 28)", "rgb(245, 246, 248)")
    page.emulate_media(color_scheme="light")
    page.click("#theme")
    assert page.evaluate(colour) == dark
    assert opened.said == []
    page.close()


def test_fifty_blocks_fit_in_two_megabytes_and_are_all_drawn(browser: Browser, pages: Path) -> None:
    assert (pages / "medium.html").stat().st_size < 2_000_000
    page = browser.new_page()
    opened = Opened(page, pages / "medium.html")
    count = page.locator("#graph .node").count()
    assert count >= 49
    assert len(set(opened.texts("#graph .node .title"))) == count
    assert page.is_hidden("#banner")
    page.close()


def test_five_thousand_blocks_show_a_neighbourhood_and_say_so(browser: Browser, pages: Path) -> None:
    page = browser.new_page()
    opened = Opened(page, pages / "large.html")
    assert page.locator("#graph .node").count() == 60
    assert "blocks. Shown are the 60 around bb0" in page.inner_text("#banner")
    page.locator('#source .line[data-id="900"] .no').click()
    opened.drawn()
    assert "around bb0" not in page.inner_text("#banner")
    assert page.locator("#graph .node.hit").count() >= 1
    assert opened.said == []
    page.close()
