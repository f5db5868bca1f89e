import re
from collections.abc import Callable
from html.parser import HTMLParser
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sickbay.report.html import render

Document = dict[str, Any]
Make = Callable[..., Document]

HOSTILE = st.one_of(
    st.text(st.characters(), max_size=120),
    st.sampled_from(
        [
            "<script>alert(1)</script>",
            "</pre></style><img src=x onerror=alert(1)>",
            '"><svg onload=alert(1)>',
            "' onmouseover='alert(1)",
            "{{ 7 * 7 }}{% raw %}",
            "javascript:alert(1)",
        ]
    ),
)
VOID = {"meta", "br", "img", "link"}


class Page(HTMLParser):
    """What a browser would see: tags, attributes and text."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str]] = []
        self.words: list[str] = []
        self.open: list[str] = []
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += [(name, value or "") for name, value in attrs]
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += [(name, value or "") for name, value in attrs]

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.words.append(data)

    @property
    def text(self) -> str:
        return " ".join("".join(self.words).split())


def test_the_answer_comes_before_everything_else(data: Make, cause: Make) -> None:
    page = Page(render(data(cause(title="The subnet is full"))))
    body = page.text.partition("open in the portal")[2]
    assert body.strip().startswith("SICK proven kubernetes.pdb_blocks_drain The subnet is full")


def test_the_page_loads_nothing_and_runs_nothing(data: Make, cause: Make) -> None:
    html = render(data(cause()))
    page = Page(html)
    assert ("content", "default-src 'none'; style-src 'unsafe-inline'") in page.attributes
    assert not {"script", "link", "img", "iframe", "object", "embed"} & set(page.tags)
    assert "url(" not in html
    assert "@import" not in html


def test_every_tag_is_closed(data: Make, cause: Make) -> None:
    assert Page(render(data(cause(), cause(rule="aks.other"), crashed=["a: b"]))).open == []


def test_every_piece_of_evidence_folds_and_names_its_place(data: Make, cause: Make) -> None:
    html = render(data(cause(), timeline=[]))
    assert html.count("<details") == 3
    assert "activity.json $[7].properties.statusMessage" in Page(html).text


def test_the_chain_is_drawn(data: Make, cause: Make) -> None:
    html = render(data(cause(), timeline=[]))
    assert html.count("<rect") == 4
    assert html.count('class="edge"') == 3


def test_the_timeline_is_drawn(data: Make, cause: Make) -> None:
    assert render(data(cause(explains=[]))).count("<circle") == 4


def test_one_moment_is_no_timeline(data: Make, cause: Make) -> None:
    one = data(cause(explains=[]))
    assert "<circle" not in render(one | {"timeline": one["timeline"][:1]})


def test_a_time_that_cannot_be_read_is_left_out(data: Make, cause: Make) -> None:
    one = data(cause(explains=[]))
    odd = one["timeline"][0] | {"at": "yesterday"}
    assert render(one | {"timeline": [odd, *one["timeline"]]}).count("<circle") == 4


def test_a_command_can_be_copied_whole(data: Make, cause: Make) -> None:
    html = render(data(cause()))
    assert '<pre class="run"><code>kubectl get pdb -A</code></pre>' in html
    assert "user-select: all" in html


def test_candidates_stand_under_the_symptom(
    data: Make, symptom: Document, candidates: list[Document]
) -> None:
    html = render(data(symptom, *candidates))
    assert html.count("<article id=") == 1
    assert "A finalizer keeps a pod in Terminating" in html


def test_a_second_cause_can_be_reached_from_the_first(data: Make, cause: Make) -> None:
    html = render(data(cause(), cause(rule="aks.other", title="Other")))
    assert '<a href="#cause-2">Other</a>' in html


def test_nothing_wrong_is_said_in_one_line(data: Make) -> None:
    assert "<h1>Nothing wrong was found</h1>" in render(data(health="healthy", timeline=[]))


def test_nothing_to_say_gives_the_commands_to_collect(data: Make) -> None:
    assert "az aks show -g prod-rg -n prod -o json &gt; aks.json" in render(data())


def test_the_page_follows_the_reader_into_the_dark_and_onto_paper(data: Make) -> None:
    html = render(data())
    assert "prefers-color-scheme: dark" in html
    assert "@media print" in html


def test_lines_of_a_quotation_are_kept(data: Make, cause: Make) -> None:
    evidence = [{"source": "a.log", "locator": "line 1", "text": "one\n  two\x1b[0m"}]
    assert "<pre>one\n  two␛[0m</pre>" in render(data(cause(evidence=evidence)))


def test_only_a_secure_address_becomes_a_link(data: Make, cause: Make) -> None:
    page = render(data(cause(docs=["javascript:alert(1)", "https://learn.microsoft.com/x"])))
    assert 'href="javascript' not in page
    assert 'href="https://learn.microsoft.com/x"' in page


@pytest.mark.parametrize("certainty", ["proven", "likely"])
@given(HOSTILE, HOSTILE)
@settings(max_examples=20, deadline=None)
def test_hostile_evidence_stays_text(hostile: Make, certainty: str, name: str, said: str) -> None:
    html = render(hostile(name, said, certainty))
    page = Page(html)
    assert page.open == []
    assert not {"script", "img", "iframe"} & set(page.tags)
    assert not [name for name, _ in page.attributes if name.startswith("on")]
    assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]", html)
    assert html.encode()
