"""The normal form is one line without escapes, and stays what it is."""

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from sickbay.bundle.unwrap import normal

FORMS = {
    "plain": ("Code: X", "Code: X"),
    "line ends": ("a\r\nb\n\n  c\td", "a b c d"),
    "escaped line ends": ("a\\nb\\r\\nc\\td", "a b c d"),
    "line ends escaped twice": ("a\\\\nb", "a b"),
    "escaped quotes": (r"say \"no\"", 'say "no"'),
    "quotes escaped three times": (r"say \\\\\\\"no\\\\\\\"", 'say "no"'),
    "escaped apostrophe": (r"it\'s", "it's"),
    "escaped slash": (r"https:\/\/x", "https://x"),
    "unicode escapes": (r"\u0022a\u0022 \u003cb\u003e \u0026 \u0027", '"a" <b> & \''),
    "unicode escapes escaped": (r"\\u0022a\\u0022", '"a"'),
    "typographic quotes": ("“a” ‘b’ don’t", "\"a\" 'b' don't"),  # noqa: RUF001 - the point
    "no-break spaces": ("a\u00a0\u202fb", "a b"),
    "invisible characters": ("a\u200bb\ufeff", "ab"),
    "colours": ("\x1b[31;1mError\x1b[0m: x", "Error: x"),
    "colours in json": (r"\u001b[31mError\u001b[0m", "Error"),
    "window title": ("\x1b]0;title\x07text", "text"),
    "unterminated title": ("\x1b]0;title", "]0;title"),
    "control characters": ("a\x00b\x07c\x7f", "abc"),
    "terraform": ("╷\n│ Error: x\n│ \n│   y\n╵", "Error: x y"),
    "terraform misread": ("â”‚ Error: x", "Error: x"),  # noqa: RUF001 - as it looks on Windows
    "entities": ("&lt;a&gt; &amp;amp; &quot;b&quot; &#39;c&#x27;", "<a> & \"b\" 'c'"),
    "windows path": (r"open C:\nginx\temp\x.log", r"open C:\nginx\temp\x.log"),
    "windows path in json": (r"open C:\\nginx\\temp", r"open C:\nginx\temp"),
    "windows path with a space": (
        r"C:\Program Files (x86)\AksEdge\nodectl.exe failed",
        r"C:\Program Files (x86)\AksEdge\nodectl.exe failed",
    ),
    "other backslashes": (r"CONTOSO\admin", r"CONTOSO\admin"),
    "quotes doubled by yaml": ("couldn''t find ''a/b''. ''c'' is", "couldn't find 'a/b'. 'c' is"),
    "empty quotes": ("a: '', b=''", "a: '', b=''"),
    "lone surrogate": ("a\ud800b", "a\ufffdb"),
    "edges": ("  a  ", "a"),
    "nothing": (" \n\t ", ""),
}


@pytest.mark.parametrize(("text", "expected"), FORMS.values(), ids=FORMS.keys())
def test_the_normal_form(text: str, expected: str) -> None:
    assert normal(text) == expected


_PIECES = st.sampled_from(
    [
        "\\",
        "u005c",
        "u0022",
        "n",
        '"',
        "&",
        "amp;",
        "lt;",
        "#38;",
        "\x1b",
        "[",
        "m",
        "C:",
        " ",
        "│",
        "x",
    ]
)


@given(st.lists(_PIECES, max_size=30).map("".join) | st.text(max_size=40))
@example("\\u005c" * 40 + "n")
@example("\\u0026amp;" * 40 + "lt;")
@settings(max_examples=120, deadline=None)
def test_the_normal_form_is_stable(text: str) -> None:
    once = normal(text)
    assert normal(once) == once


@given(st.text(max_size=60))
@settings(max_examples=100, deadline=None)
def test_the_normal_form_is_one_line_that_can_be_written(text: str) -> None:
    form = normal(text)
    assert len(form.splitlines()) <= 1
    assert form.encode("utf-8").decode("utf-8") == form
