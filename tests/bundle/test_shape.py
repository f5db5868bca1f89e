"""One shape for what REST and `az` print."""

from typing import Any

from sickbay.bundle.shape import EVERYTHING, Form, flat


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


def test_only_what_is_read_is_brought_into_shape() -> None:
    form = Form({"state": EVERYTHING, "parts": Form({"name": EVERYTHING})})
    body = {"Id": "i", "properties": {"State": {"Code": 1}, "parts": [{"name": "n", "x": 1}]}}
    assert flat(body, form) == {"state": {"code": 1}, "parts": [{"name": "n"}]}


def test_every_spelling_of_a_key_is_found_however_many_others_came_before() -> None:
    form = Form({"state": EVERYTHING})
    for number in range(5000):
        assert flat({f"key{number}": 1, "STATE": 2}, form) == {"state": 2}
    assert flat({"sTaTe": 3}, form) == {"state": 3}


def test_what_is_brought_into_shape_is_a_copy() -> None:
    body = {"tags": {"Owner": "Me"}, "parts": [{"labels": {"A": "b"}}]}
    made = flat(body)
    made["tags"].clear()
    made["parts"][0]["labels"].clear()
    assert body == {"tags": {"Owner": "Me"}, "parts": [{"labels": {"A": "b"}}]}
