"""The evaluator of policies against a second one that was written apart from it."""

from hypothesis import given, settings
from hypothesis import strategies as st
from policy_oracle import disagreements  # type: ignore[import-not-found]

SEEDS = st.integers(0, 1 << 40)


@settings(max_examples=25, deadline=None)
@given(SEEDS)
def test_both_evaluators_agree_on_random_clusters(seed: int) -> None:
    pairs, found = disagreements(seed, 60)
    assert pairs > 0
    assert found == []
