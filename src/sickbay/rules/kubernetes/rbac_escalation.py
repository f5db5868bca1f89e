from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="Somebody grants rights that they do not have themselves (RBAC escalation, Forbidden)",
    severity=Severity.ERROR,
    categories=(Category.IDENTITY,),
    detect=(
        Signature(
            pattern=r"\"(?P<role>[^\"]{1,253})\" is forbidden: user \"(?P<user>[^\"]{1,200})\" (?:\(groups=\[[^\]]{0,500}\]\) )?is attempting to grant RBAC permissions not currently held",
            says="{user} grants rights by {role} that they do not hold",
            sample='roles.rbac.authorization.k8s.io "pod-reader" is forbidden: user "system:serviceaccount:ops:installer" (groups=["system:serviceaccounts" "system:authenticated"]) is attempting to grant RBAC permissions not currently held: {APIGroups:[""], Resources:["pods"], Verbs:["list"]}',
            near_miss='roles.rbac.authorization.k8s.io "pod-reader" created by user "system:serviceaccount:ops:installer"',
        ),
    ),
    why="RBAC lets nobody make or bind a role with rights that they do not hold themselves: an installer, pipeline or operator that creates roles needs all of their rights, or the verbs `escalate` (on roles) and `bind` (on bindings). It gets 403 Forbidden.",
    remedy=(
        Step(
            "See what the user may do.",
            run=("kubectl", "auth", "can-i", "--list", "--as={user}"),
            risk=Risk.READ,
        ),
        Step(
            "Let a cluster administrator install it once.",
            verify="the role {role} exists",
        ),
        Step(
            "Or allow the user to grant this one role.",
            run=(
                "kubectl",
                "create",
                "clusterrole",
                "grant-{role}",
                "--verb=bind,escalate",
                "--resource=clusterroles.rbac.authorization.k8s.io,roles.rbac.authorization.k8s.io",
                "--resource-name={role}",
            ),
            risk=Risk.DISRUPTIVE,
        ),
    ),
    docs=(
        "https://kubernetes.io/docs/reference/access-authn-authz/rbac/#privilege-escalation-prevention-and-bootstrapping",
    ),
    ask="kubectl auth can-i --list --as={user}",
)
