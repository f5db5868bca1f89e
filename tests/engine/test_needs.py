"""What the ways to match need is asked in fewer questions, with the same answer."""

from hypothesis import given
from hypothesis import strategies as st

from sickbay.engine.needs import Needs, Way, is_met

_WORD = st.text(alphabet="abc", min_size=1, max_size=3).map(str.encode)
_NEED = _WORD | st.lists(_WORD, min_size=1, max_size=3).map(tuple)
_WAY = st.lists(_NEED, max_size=4).map(tuple)


@given(
    ways=st.lists(_WAY, min_size=1, max_size=5).map(tuple),
    record=st.text(alphabet="abc ", max_size=12).map(str.encode),
)
def test_the_needs_of_several_ways_are_met_where_those_of_one_are(
    ways: tuple[Way, ...], record: bytes
) -> None:
    assert Needs(ways).are_met(record) == any(is_met(way, record) for way in ways)
