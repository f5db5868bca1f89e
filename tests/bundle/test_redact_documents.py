"""Documents lose their secrets by name, by kind and by shape, and keep their structure."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sickbay.bundle.redact import document

PLANTED = "Zx9Qw3rTyUiOp5"
KUBECONFIG: dict[str, Any] = {
    "kind": "Config",
    "clusters": [{"name": "c", "cluster": {"server": "https://x"}}],
    "users": [
        {
            "name": "admin",
            "user": {
                "token": PLANTED,
                "client-key-data": PLANTED,
                "something-new": PLANTED,
                "client-certificate-data": "LS0tPUBLIC",
                "auth-provider": {"name": "azure", "config": {"access-token": PLANTED}},
            },
        }
    ],
}


@pytest.mark.parametrize(
    "value",
    [
        {"password": PLANTED},
        {"properties": {"osProfile": {"adminPassword": PLANTED}}},
        {"servicePrincipalProfile": {"clientId": "x", "secret": PLANTED}},
        {"tokens": {"refresh_token": PLANTED}},
        {"X-Auth-Token": [PLANTED, PLANTED]},
        {"kind": "Secret", "data": {"a": PLANTED}, "stringData": {"b": {"c": PLANTED}}},
        {"kind": "SecretList", "items": [{"metadata": {}, "data": {"a": PLANTED}}]},
        {"items": [{"kind": "Secret", "data": {"a": PLANTED}}], "kind": "List"},
        {"env": [{"name": "DB_PASSWORD", "value": PLANTED}]},
        {"keys": [{"keyName": "key1", "permissions": "FULL", "value": PLANTED}]},
        {"parameters": {"adminPassword": {"value": PLANTED}}},
        {"outputs": {"x": {"type": "SecureString", "value": PLANTED}}},
        {"parameters": {"x": {"type": "secureObject", "value": {"deep": [PLANTED]}}}},
        {"protectedSettings": {"script": PLANTED}},
        {"customData": PLANTED},
        {"message": f"login failed for http://user:{PLANTED}@proxy:3128"},
        {"message": json.dumps({"error": json.dumps({"password": PLANTED})})},
        {"args": ["--client-secret=" + PLANTED]},
        {f"?sig={PLANTED}xx&se=1": "in a key"},
        [[{"password": PLANTED}]],
        KUBECONFIG,
    ],
)
def test_a_secret_in_a_document_is_removed(value: Any) -> None:
    assert PLANTED not in json.dumps(document(value))


@pytest.mark.parametrize(
    "value",
    [
        {"volumes": [{"name": "s", "secret": {"secretName": "regcred", "optional": False}}]},
        {"env": [{"name": "X", "valueFrom": {"secretKeyRef": {"name": "db", "key": "password"}}}]},
        {"imagePullSecrets": [{"name": "regcred"}]},
        {"automountServiceAccountToken": False, "password": None, "token": ""},
        {"kind": "ConfigMap", "data": {"Corefile": ".:53 { errors }"}},
        {"id": "/subscriptions/00000000-1111-2222-3333-444444444444/resourceGroups/rg"},
        {"metadata": {"uid": "3f2b1c00-1111-2222-3333-444444444444", "resourceVersion": "12"}},
        {"image": "mcr.microsoft.com/x@sha256:" + "9b7cd58b" * 8},
        {"kind": "Secret", "id": "secret/ns/name", "name": "name"},
        {"disablePasswordAuthentication": True, "adminUsername": "azureuser"},
        {"adminPassword": "[parameters('adminPassword')]"},
        {"count": 3, "ratio": 0.5, "none": None, "list": [1, True]},
    ],
)
def test_what_a_diagnosis_needs_stays(value: Any) -> None:
    assert document(value) == value


def test_public_parts_of_a_login_stay() -> None:
    user = document(KUBECONFIG)["users"][0]["user"]
    assert user["client-certificate-data"] == "LS0tPUBLIC"
    assert user["auth-provider"]["name"] == "azure"


def test_names_of_the_keys_of_a_secret_stay() -> None:
    clean = document({"kind": "Secret", "data": {"tls.crt": "eA==", "tls.key": "eA=="}})
    assert list(clean["data"]) == ["tls.crt", "tls.key"]


def test_the_input_is_not_changed() -> None:
    value = {"password": PLANTED, "list": [{"token": PLANTED}]}
    document(value)
    assert value == {"password": PLANTED, "list": [{"token": PLANTED}]}


def test_a_bottomless_document_ends_in_a_mark() -> None:
    value: Any = PLANTED
    for _ in range(5000):
        value = [value]
    assert PLANTED not in repr(document(value))


def test_keys_that_are_no_text_are_written_as_text() -> None:
    assert document({1: "a", None: "b"}) == {"1": "a", "None": "b"}


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner),
    max_leaves=10,
)


@settings(max_examples=60, deadline=None)
@given(JSON)
def test_redacting_a_document_twice_changes_nothing(value: Any) -> None:
    once = document(value)
    assert document(once) == once


@settings(max_examples=60, deadline=None)
@given(JSON, st.sampled_from(("password", "client_secret", "sasToken", "primaryKey")))
def test_a_secret_is_removed_at_any_place(value: Any, key: str) -> None:
    planted = {"a": [value, {key: PLANTED, "b": value}], "kind": value}
    assert PLANTED not in json.dumps(document(planted))
