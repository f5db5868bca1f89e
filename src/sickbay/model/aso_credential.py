"""Which credential Azure Service Operator uses for an object."""

from typing import Final, NamedTuple

from sickbay.model.aso import CREDENTIAL_FROM, OPERATOR_OF, AsoObject, CredentialUse
from sickbay.model.ids import Ref, kube
from sickbay.model.snapshot import Snapshot

OPERATOR_NAMESPACE: Final = "azureserviceoperator-system"
CREDENTIAL: Final = "aso-credential"
SETTINGS: Final = "aso-controller-settings"


class Credential(NamedTuple):
    """The secret from which ASO takes the credential of an object, and how that is known."""

    secret: Ref | None
    says: str


def credential_of(thing: AsoObject, snapshot: Snapshot) -> Credential:
    """Which credential ASO uses: what it says itself, else by the order in which it looks.

    The annotation of the object, then the secret of its namespace, then the global one.
    """
    target = f"{thing.object_kind.casefold()}/{thing.namespace}/{thing.name}"
    for use in snapshot.grouped(CredentialUse, "target", target):
        space, _, name = use.secret.rpartition("/")
        return Credential(kube("Secret", space, name), f"the credential in secret {use.secret}")
    if named := thing.annotations.get(CREDENTIAL_FROM):
        says = f"the credential of the object itself, secret {thing.namespace}/{named}"
        return Credential(kube("Secret", thing.namespace, named), says)
    of_space = kube("Secret", thing.namespace, CREDENTIAL)
    if snapshot.find(of_space) is not None:
        says = f"the credential of the namespace, secret {thing.namespace}/{CREDENTIAL}"
        return Credential(of_space, says)
    if snapshot.has_seen("Secret", thing.namespace):
        operator = thing.annotations.get(OPERATOR_OF) or OPERATOR_NAMESPACE
        says = f"the global credential, secret {operator}/{SETTINGS}"
        return Credential(kube("Secret", operator, SETTINGS), says)
    says = f"secret {thing.namespace}/{CREDENTIAL} if there is one, else the global {SETTINGS}"
    return Credential(None, says)
