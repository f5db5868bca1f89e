"""One shape for what REST and `az` print."""

from typing import Any

from sickbay.bundle.shape import flat


def test_properties_are_hoisted_at_every_level() -> None:
    body = {"id": "i", "properties": {"subnets": [{"properties": {"addressPrefix": "p"}}]}}
    assert flat(body) == {"id": "i", "subnets": [{"addressprefix": "p"}]}


def test_the_envelope_wins_over_its_properties() -> None:
    body = {"type": "outer", "properties": {"type": "inner"}}
    assert flat(body) == {"type": "outer", "typepropertiestype": "inner"}


def test_a_null_in_the_envelope_wins_nothing() -> None:
    assert flat({"status": None, "properties": {"status": "s"}}) == {"status": "s"}


def test_the_users_own_keys_keep_their_case() -> None:
    assert flat({"Tags": {"Owner": "Me"}}) == {"tags": {"Owner": "Me"}}


def test_a_document_of_any_depth_has_a_shape() -> None:
    body: Any = 1
    for _ in range(5000):
        body = {"a": [body]}
    assert flat(body)["a"]
