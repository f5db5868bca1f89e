from sickbay.model.access import (
    Binding,
    ClusterRoleBinding,
    RoleBinding,
    ServiceAccount,
    is_used,
)
from sickbay.model.ids import Ref
from sickbay.model.snapshot import Snapshot
from sickbay.rulekit import Category, Clear, Match, Risk, Rule, Severity, Step, each


@each(RoleBinding)
def names_nobody(binding: RoleBinding, snapshot: Snapshot) -> Match | Clear | None:
    return _judge(binding, snapshot)


@each(ClusterRoleBinding)
def names_nobody_anywhere(binding: ClusterRoleBinding, snapshot: Snapshot) -> Match | Clear | None:
    return _judge(binding, snapshot)


def _judge(binding: Binding, snapshot: Snapshot) -> Match | Clear | None:
    if binding.name.startswith("system:"):
        # The control plane brings bindings for controllers that not every cluster runs.
        return None
    for account in binding.accounts:
        if snapshot.get(account, ServiceAccount) is not None:
            continue
        twin = _twin(account, snapshot)
        if twin is not None and is_used(twin, snapshot):
            return Match(
                f"{binding.name} names service account {account.namespace}/{account.name}, which does not exist; there is {twin.namespace}/{twin.name}",
                {
                    "binding": binding.name,
                    "kind": binding.kind.lower(),
                    "account": twin.name,
                    "account_namespace": twin.namespace,
                },
                (binding.cite("subjects", f"{account.namespace}/{account.name}"),),
            )
    return Clear(f"the service accounts of {binding.name} exist") if binding.accounts else None


def _twin(account: Ref, snapshot: Snapshot) -> Ref | None:
    """The one account of the same name in another namespace."""
    same = sorted(one.ref for one in snapshot.grouped(ServiceAccount, "name", account.name))
    return same[0] if len(same) == 1 else None


RULE = Rule(
    title="A role binding names a service account in the wrong namespace, so the real one has no rights",
    severity=Severity.WARNING,
    categories=(Category.IDENTITY,),
    detect=(names_nobody, names_nobody_anywhere),
    why="A binding names a service account together with its namespace, and RBAC does not ask whether it exists. The account that the binding names does not, one of the same name in another namespace does: its pods get 403 Forbidden.",
    remedy=(
        Step(
            "See the binding.",
            run=("kubectl", "get", "{kind}", "{binding}", "-n", "{namespace}", "-o", "yaml"),
            risk=Risk.READ,
        ),
        Step(
            "Add the account that exists to the binding.",
            run=(
                "kubectl",
                "set",
                "subject",
                "{kind}",
                "{binding}",
                "--serviceaccount={account_namespace}:{account}",
                "-n",
                "{namespace}",
            ),
            risk=Risk.SAFE,
            verify="kubectl auth can-i --list --as=system:serviceaccount:{account_namespace}:{account} lists the rights",
        ),
    ),
    docs=("https://kubernetes.io/docs/reference/access-authn-authz/rbac/#referring-to-subjects",),
    leads_to=("kubernetes.account_forbidden", "kubernetes.account_forbidden_cluster"),
)
