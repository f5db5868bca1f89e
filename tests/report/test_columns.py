import unicodedata

from hypothesis import given, settings
from hypothesis import strategies as st

from sickbay.report.columns import pieces, shorten, visible, width, wrap

ANY_TEXT = st.text(st.characters(), max_size=200)


def columns_of(text: str) -> int:
    """A second opinion on how wide a text is."""
    return sum(
        0
        if unicodedata.category(sign) in {"Mn", "Me"}
        else 1 + (unicodedata.east_asian_width(sign) in {"W", "F"})
        for sign in text
    )


def test_an_escape_sequence_becomes_visible() -> None:
    assert visible("\x1b[31mred\x07") == "␛[31mred␇"


def test_a_change_of_direction_becomes_visible() -> None:
    assert visible("user\u202egnp.exe") == "user\\u202egnp.exe"


def test_a_character_that_takes_no_room_becomes_visible() -> None:
    assert visible("np\u200b1") == "np\\u200b1"


def test_a_c1_control_becomes_visible() -> None:
    assert visible("a\x9b31m") == "a\\x9b31m"


def test_half_a_character_becomes_visible() -> None:
    assert visible("a\ud83d") == "a\\ud83d"


def test_line_ends_and_tabs_become_spaces() -> None:
    assert visible("a\tb\r\nc\u2028d") == "a b  c d"


def test_accents_stay_but_do_not_pile_up() -> None:
    assert visible("e" + "\u0301" * 50) == "e\u0301\u0301"


def test_wide_characters_take_two_columns() -> None:
    assert width("ab日本🚀") == 8


def test_a_long_name_loses_its_middle() -> None:
    assert shorten("aks-nodepool1-31415926-vmss000002", 17) == "aks-node…ss000002"


def test_a_giant_name_is_shortened_at_once() -> None:
    assert shorten("a" * 50_000_000 + "z", 9) == "aaaa…aaaz"


def test_words_are_kept_whole_when_they_fit() -> None:
    assert wrap("the subnet is full", 10) == ["the subnet", "is full"]


def test_a_word_that_is_too_long_breaks_behind_a_divider() -> None:
    assert wrap("/subscriptions/0000/resourceGroups/rg", 20) == [
        "/subscriptions/0000/",
        "resourceGroups/rg",
    ]


def test_text_beyond_the_last_line_shows_as_an_ellipsis() -> None:
    assert wrap("one two three four five six", 9, 2) == ["one two", "three …"]


def test_nothing_gives_no_lines() -> None:
    assert wrap(" \n ", 10) == []


def test_the_pieces_of_a_word_are_the_word() -> None:
    word = "Microsoft.ContainerService/managedClusters/prod" * 3
    assert "".join(pieces(word, 11)) == word


@given(ANY_TEXT)
@settings(max_examples=150, deadline=None)
def test_a_visible_text_is_printable(text: str) -> None:
    assert visible(text).isprintable()


@given(ANY_TEXT, st.integers(5, 80))
@settings(max_examples=150, deadline=None)
def test_no_line_is_wider_than_its_columns(text: str, columns: int) -> None:
    assert max(map(columns_of, wrap(text, columns)), default=0) <= columns


@given(ANY_TEXT, st.integers(3, 40))
@settings(max_examples=150, deadline=None)
def test_a_shortened_text_fits(text: str, columns: int) -> None:
    assert columns_of(shorten(text, columns)) <= columns


@given(ANY_TEXT)
@settings(max_examples=100, deadline=None)
def test_wrapping_loses_no_sign_but_spaces(text: str) -> None:
    assert "".join(wrap(text, 20)).replace(" ", "") == visible(text).replace(" ", "")
