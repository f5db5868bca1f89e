"""Pods that sign in to Azure by the token of their service account (workload identity)."""

from typing import TYPE_CHECKING, Final

from sickbay.model.access import ServiceAccount
from sickbay.model.governance import FederatedCredential, ManagedIdentity
from sickbay.model.ids import kube
from sickbay.model.registries import only_cluster

if TYPE_CHECKING:
    from sickbay.model.kubernetes import Pod
    from sickbay.model.snapshot import Snapshot

_USE: Final = "azure.workload.identity/use"


def has_label(pod: "Pod") -> bool:
    return pod.labels.get(_USE, "").casefold() == "true"


def account_of(pod: "Pod", snapshot: "Snapshot") -> ServiceAccount | None:
    """The account of a pod, if it stands for an identity of Azure; raises if nobody read it."""
    name = pod.spec.service_account_name or "default"
    account = snapshot.get(kube("ServiceAccount", pod.namespace, name), ServiceAccount)
    return account if account and account.azure_client else None


def subject_of(account: ServiceAccount) -> str:
    return f"system:serviceaccount:{account.namespace}:{account.name}"


def credentials_for(
    account: ServiceAccount, snapshot: "Snapshot"
) -> tuple[FederatedCredential, ...]:
    """The credentials of the account's identity, or all where nobody knows which one it is."""
    mine = identity_of(account, snapshot)
    if mine:
        return snapshot.all(FederatedCredential, mine.id)
    return snapshot.some(FederatedCredential)


def identity_of(account: ServiceAccount, snapshot: "Snapshot") -> ManagedIdentity | None:
    """The identity that an account stands for, if it is in evidence."""
    mine = snapshot.grouped(ManagedIdentity, "client_key", account.azure_client.casefold())
    return mine[0] if mine else None


def issuer_of(snapshot: "Snapshot") -> str:
    """The issuer of the tokens in the cluster, or nothing where it is not known."""
    cluster = only_cluster(snapshot)
    profile = cluster.oidc_issuer_profile if cluster else None
    return ((profile and profile.issuer_url) or "").rstrip("/").casefold()
