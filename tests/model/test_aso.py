"""What ASO would do next, what a spec asks for, who was refused, and what was waited for."""

from typing import Any

import pytest

from sickbay.model.aso import AsoObject, CredentialUse, crd_version
from sickbay.model.aso_credential import credential_of
from sickbay.model.aso_parts import AsoCondition, AsoStatus
from sickbay.model.aso_precondition import precondition
from sickbay.model.aso_refusal import refused, role_for
from sickbay.model.aso_retry import Retry, is_given_up, retry_of, version_in
from sickbay.model.aso_spec import (
    config_maps_of,
    destinations_of,
    misplaced_ids,
    references_of,
    secrets_of,
)
from sickbay.model.entity import Metadata
from sickbay.model.installed import CustomResourceDefinition
from sickbay.model.snapshot import Seen, Snapshot

LINKED = (
    "The client 'a' with object id 'o1' has permission to perform action 'Microsoft.Compute/x' on "
    "scope '/subscriptions/s'; however, it does not have permission to perform action(s) "
    "'Microsoft.Network/virtualNetworks/subnets/join/action' on the linked scope(s) "
    "'/subscriptions/s/subnets/n' (respectively) or the linked scope(s) are invalid."
)


def thing(**annotations: str) -> AsoObject:
    named = {key.replace("_", "-"): value for key, value in annotations.items()}
    return AsoObject(
        metadata=Metadata(
            name="r1",
            namespace="shop",
            annotations={f"serviceoperator.azure.com/{k}": v for k, v in named.items()},
        ),
        object_kind="Redis",
    )


@pytest.mark.parametrize(
    ("code", "severity", "expected"),
    [
        ("WaitingForOwner", "Warning", Retry.FAST),
        ("AuthorizationFailed", "Warning", Retry.SLOW),
        ("BadRequest", "Warning", Retry.AT_SYNC),
        ("SomethingNew", "Warning", Retry.UNTOLD),
        ("AuthorizationFailed", "Error", Retry.NEVER),
    ],
)
def test_severity_decides_and_the_code_says_when(code: str, severity: str, expected: Retry) -> None:
    assert retry_of(code, severity) is expected


@pytest.mark.parametrize(
    ("code", "version", "expected"),
    [
        ("BadRequest", (2, 17), True),
        ("BadRequest", (2, 18), False),
        ("BadRequest", None, True),
        ("SomethingNew", (2, 9), True),
        ("SomethingNew", None, None),
        ("ScopeLocked", (2, 12), True),
        ("ScopeLocked", (2, 13), False),
        ("InvalidTemplate", (2, 9), False),
        ("InvalidParameter", (2, 9), False),
        ("SubscriptionMismatch", (2, 9), False),
    ],
)
def test_what_old_versions_gave_up_on(
    code: str, version: tuple[int, int] | None, expected: bool | None
) -> None:
    assert is_given_up(code, "Error", version) is expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("v2.13.0", (2, 13)),
        ("mcr.microsoft.com/k8s/azureserviceoperator:v2.0.0-beta.2", (2, 0)),
        ("registry.local:5000/azureserviceoperator:latest", None),
        ("", None),
    ],
)
def test_a_version_is_read_from_labels_and_images(
    text: str, expected: tuple[int, int] | None
) -> None:
    assert version_in(text) == expected


def test_a_crd_of_another_product_has_no_version_of_aso() -> None:
    labels = {"app.kubernetes.io/name": "other", "app.kubernetes.io/version": "v1.2.0"}
    assert crd_version(CustomResourceDefinition(metadata=Metadata(labels=labels))) == ""


SPEC: dict[str, Any] = {
    "owner": {"name": "/subscriptions/s/resourceGroups/rg"},
    "login": [{"password": {"name": "pg", "key": "pw"}}],
    "principalIdFromConfig": {"name": "mi", "key": "principalId"},
    "subnet": {"reference": {"group": "network.azure.com", "kind": "Subnet", "name": "s1"}},
    "known": {"reference": {"armId": "/subscriptions/s/x"}},
    "operatorSpec": {
        "secrets": {"key1": {"name": "keys", "key": "k"}},
        "configMaps": {"id": {"name": "ids", "key": "id"}},
    },
}


def test_needs_are_found_wherever_they_stand_in_a_spec() -> None:
    assert [(need.name, need.key) for need in secrets_of(SPEC)] == [("pg", "pw")]
    assert [(need.name, need.key) for need in config_maps_of(SPEC)] == [("mi", "principalId")]
    assert [(need.kind, need.name) for need in references_of(SPEC)] == [("Subnet", "s1")]
    assert [need.path for need in misplaced_ids(SPEC)] == ["spec.owner"]


def test_outputs_are_no_inputs() -> None:
    assert [(need.kind, need.name) for need in destinations_of(SPEC)] == [
        ("Secret", "keys"),
        ("ConfigMap", "ids"),
    ]


def test_a_spec_that_nests_without_end_is_bounded() -> None:
    deep: dict[str, Any] = {}
    for _ in range(10_000):
        deep = {"x": deep, "y": {"name": "s", "key": "k"}}
    assert 0 < len(list(secrets_of(deep))) < 100


@pytest.mark.parametrize("spec", [None, "text", 7, ["a"], {"owner": "rg"}, {"owner": {"name": 1}}])
def test_a_spec_of_a_wrong_type_names_no_owner(spec: object) -> None:
    assert AsoObject(spec=spec).owner_name == ""


def test_of_a_linked_refusal_the_linked_scope_counts() -> None:
    facts = refused(LINKED)
    assert facts["action"] == "Microsoft.Network/virtualNetworks/subnets/join/action"
    assert facts["scope"] == "/subscriptions/s/subnets/n"
    assert facts["role"] == "Network Contributor"


@pytest.mark.parametrize(
    ("action", "role"),
    [
        (
            "Microsoft.Authorization/roleAssignments/write",
            "Role Based Access Control Administrator",
        ),
        (
            "Microsoft.ManagedIdentity/userAssignedIdentities/assign/action",
            "Managed Identity Operator",
        ),
        ("Microsoft.Cache/redis/write", "Contributor"),
    ],
)
def test_the_role_fits_the_action(action: str, role: str) -> None:
    assert role_for(action) == role


@pytest.mark.parametrize(
    ("code", "message", "what", "is_external"),
    [
        ("QuotaExceeded", "", "quota in the subscription", True),
        (
            "OperationNotAllowed",
            "exceeding approved Cores quota",
            "quota in the subscription",
            True,
        ),
        ("OperationNotAllowed", "the disk is being detached", "another operation", False),
        ("LinkedAuthorizationFailed", LINKED, "join/action on /subscriptions/s/subnets/n", True),
        ("PostReconciliationFailure", "requires approval", "approval of the connection", True),
        (
            "NotFound",
            "Resource /subscriptions/s/x/nic1 not found.",
            "/subscriptions/s/x/nic1",
            False,
        ),
        (
            "BadRequest",
            "Cannot delete 'r' since it has linked servers",
            "what depends on it",
            False,
        ),
    ],
)
def test_a_refusal_names_its_precondition(
    code: str, message: str, what: str, *, is_external: bool
) -> None:
    found = precondition(code, message)
    assert found is not None
    assert what in found.what
    assert found.is_external is is_external


def test_a_code_that_tells_nothing_names_no_precondition() -> None:
    assert precondition("TeapotRefused", "not in the mood") is None


def test_the_credential_that_aso_says_it_uses_beats_what_it_should_use() -> None:
    used = CredentialUse("redis/shop/r1", "aso/aso-controller-settings")
    found = credential_of(thing(credential_from="team"), Snapshot([used]))
    assert found.says == "the credential in secret aso/aso-controller-settings"


def test_without_any_secret_the_global_credential_is_that_of_its_operator() -> None:
    snapshot = Snapshot([], seen=[Seen("Secret", "shop")])
    found = credential_of(thing(operator_namespace="aso"), snapshot)
    assert found.says == "the global credential, secret aso/aso-controller-settings"


@pytest.mark.parametrize(
    ("status", "expected"),
    [
        (AsoStatus(provisioning_state="Updating"), True),
        (AsoStatus(state="Ready"), False),
        (AsoStatus(provisioning_state="CANCELED"), False),
        (AsoStatus(), False),
    ],
)
def test_only_a_state_that_ends_by_itself_is_a_transition(
    status: AsoStatus, *, expected: bool
) -> None:
    assert AsoObject(status=status).is_in_transition is expected


def test_work_in_progress_is_no_trouble() -> None:
    ready = AsoCondition(type="Ready", status="False", severity="Info", reason="Reconciling")
    found = AsoObject(
        api_version="cache.azure.com/v1api20230801", status=AsoStatus(conditions=[ready])
    )
    assert found.trouble is None
    assert not found.is_ready
