from sickbay.model.access import (
    Binding,
    ClusterRole,
    ClusterRoleBinding,
    Role,
    RoleBinding,
    is_used,
)
from sickbay.model.snapshot import Snapshot
from sickbay.rulekit import (
    TYPICAL,
    Category,
    Clear,
    Match,
    Risk,
    Rule,
    Severity,
    Signature,
    Step,
    each,
)


@each(RoleBinding)
def grants_nothing(binding: RoleBinding, snapshot: Snapshot) -> Match | Clear | None:
    return _judge(binding, snapshot)


@each(ClusterRoleBinding)
def grants_nothing_anywhere(
    binding: ClusterRoleBinding, snapshot: Snapshot
) -> Match | Clear | None:
    return _judge(binding, snapshot)


def _judge(binding: Binding, snapshot: Snapshot) -> Match | Clear | None:
    kind = binding.role_ref.kind
    if kind not in {"Role", "ClusterRole"} or not binding.accounts:
        return None
    found = snapshot.get(binding.role, Role if kind == "Role" else ClusterRole)
    if found is not None:
        return Clear(f"{kind} {binding.role_ref.name} of {binding.name} exists")
    account = next((one for one in binding.accounts if is_used(one, snapshot)), None)
    if account is None:
        return Clear(f"no pod runs as an account of {binding.name}")
    return Match(
        f"{binding.name} binds {kind} {binding.role_ref.name}, which does not exist",
        {
            "binding": binding.name,
            "role": binding.role_ref.name,
            "role_kind": kind.lower(),
            "account": account.name,
            "account_namespace": account.namespace,
        },
        (binding.cite("roleRef.name", binding.role_ref.name),),
    )


RULE = Rule(
    title="A role binding names a role that does not exist, so it grants nothing",
    severity=Severity.WARNING,
    categories=(Category.IDENTITY,),
    detect=(
        grants_nothing,
        grants_nothing_anywhere,
        Signature(
            pattern=r"\b(?:cluster)?roles?\.rbac\.authorization\.k8s\.io \"(?P<role>[\w:.-]+)\" not found",
            says="the role {role} does not exist",
            sample='level=error msg="Error backing up item" error="clusterroles.rbac.authorization.k8s.io "system:auth-delegator" not found"',
            near_miss='clusterroles.rbac.authorization.k8s.io "system:auth-delegator" created',
            unless=r"Error from server",
            weight=TYPICAL,
        ),
    ),
    why="RBAC accepts a binding before its role is there. As long as the Role (of the binding's own namespace) or ClusterRole does not exist, those whom the binding names have no rights by it and get 403 Forbidden.",
    remedy=(
        Step(
            "See the binding.",
            run=(
                "kubectl",
                "describe",
                "rolebinding,clusterrolebinding",
                "{binding}",
                "-n",
                "{namespace}",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Make the role with what is needed, or bind one that exists (the role of a binding cannot be changed: delete the binding and make it anew).",
            run=(
                "kubectl",
                "create",
                "{role_kind}",
                "{role}",
                "--verb=<verb>",
                "--resource=<resource>",
                "-n",
                "{namespace}",
            ),
            risk=Risk.SAFE,
            verify="kubectl auth can-i --list --as=system:serviceaccount:{account_namespace}:{account} lists the rights",
        ),
    ),
    docs=(
        "https://kubernetes.io/docs/reference/access-authn-authz/rbac/#rolebinding-and-clusterrolebinding",
    ),
    leads_to=("kubernetes.account_forbidden", "kubernetes.account_forbidden_cluster"),
)
