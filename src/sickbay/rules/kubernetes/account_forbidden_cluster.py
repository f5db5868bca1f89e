from sickbay.model.access import AuditEvent, why_refused
from sickbay.model.snapshot import Snapshot
from sickbay.rulekit import Category, Clear, Match, Risk, Rule, Severity, Signature, Step, each


@each(AuditEvent)
def was_refused(event: AuditEvent, snapshot: Snapshot) -> Match | Clear | None:
    refused = event.refused
    if refused is None or refused[1].namespace:
        return None
    account, asked = refused
    reason = why_refused(account, asked, snapshot)
    return Match(
        f"service account {account.namespace}/{account.name} may not {asked.verb} {asked} at the cluster scope"
        + (f": {reason}" if reason else ""),
        {
            "account_namespace": account.namespace,
            "account": account.name,
            "verb": asked.verb,
            "resource": str(asked),
            "kind": asked.resource.partition("/")[0],
        },
        (event.cite("responseStatus.code", 403),),
        at=event.request_received_timestamp or "",
        subject=account,
    )


RULE = Rule(
    title="A service account may not do in the whole cluster what its program asks (403 Forbidden, RBAC)",
    severity=Severity.ERROR,
    categories=(Category.IDENTITY,),
    detect=(
        was_refused,
        Signature(
            pattern=r"(?P<resource>(?P<kind>[a-z][a-z0-9]*)[\w.-]*) (?:\"[^\"]{0,250}\" )?is forbidden: User \"system:serviceaccount:(?P<account_namespace>[a-z0-9.-]{1,63}):(?P<account>[\w.-]{1,253})\" cannot (?P<verb>\w+) resource \"[\w.-]+\" in API group \"[\w.-]*\" at the cluster scope",
            says="service account {account_namespace}/{account} may not {verb} {resource} at the cluster scope",
            sample='Error from server (Forbidden): deployments.apps is forbidden: User "system:serviceaccount:ops:operator" cannot list resource "deployments" in API group "apps" at the cluster scope',
            near_miss='pods "cart-1" is forbidden: exceeded quota: compute',
        ),
        Signature(
            pattern=r"is forbidden: User \"system:serviceaccount:(?P<account_namespace>[a-z0-9.-]{1,63}):(?P<account>[\w.-]{1,253})\" cannot (?P<verb>\w+) resource \"(?P<resource>(?P<kind>[a-z][a-z0-9]*)[\w.-]*/[\w-]+)\" in API group \"[\w.-]*\" at the cluster scope",
            says="service account {account_namespace}/{account} may not {verb} {resource} at the cluster scope",
            sample='pods "cart-1" is forbidden: User "system:serviceaccount:ops:operator" cannot create resource "pods/exec" in API group "" at the cluster scope',
            near_miss='pods "cart-1" is forbidden: violates PodSecurity "restricted:latest"',
        ),
        Signature(
            pattern=r"is forbidden: User \"system:serviceaccount:(?P<account_namespace>[a-z0-9.-]{1,63}):(?P<account>[\w.-]{1,253})\" cannot (?P<verb>[a-z]+) (?P<resource>(?P<kind>[a-z][a-z0-9]*)[\w./-]*) at the cluster scope",
            says="service account {account_namespace}/{account} may not {verb} {resource} at the cluster scope",
            sample='pods is forbidden: User "system:serviceaccount:ops:operator" cannot list pods at the cluster scope',
            near_miss='User "system:serviceaccount:ops:operator" can list pods',
        ),
    ),
    why="What is asked at the cluster scope (nodes, or objects of all namespaces) can only be granted by a ClusterRole that a ClusterRoleBinding binds to the account; a RoleBinding in one namespace is not enough. None does, so Kubernetes RBAC authorization answers 403 Forbidden.",
    remedy=(
        Step(
            "See which bindings name the account.",
            run=("kubectl", "get", "clusterrolebindings", "-o", "wide"),
            risk=Risk.READ,
        ),
        Step(
            "Make a cluster role that allows exactly what was denied.",
            run=(
                "kubectl",
                "create",
                "clusterrole",
                "{account_namespace}-{account}-{verb}-{kind}",
                "--verb={verb}",
                "--resource={resource}",
            ),
            risk=Risk.SAFE,
        ),
        Step(
            "Bind it to the service account for the whole cluster; if the program needs one namespace only, limit it to that and use a role binding instead.",
            run=(
                "kubectl",
                "create",
                "clusterrolebinding",
                "{account_namespace}-{account}-{verb}-{kind}",
                "--clusterrole={account_namespace}-{account}-{verb}-{kind}",
                "--serviceaccount={account_namespace}:{account}",
            ),
            risk=Risk.SAFE,
            verify="kubectl auth can-i {verb} {resource} --as=system:serviceaccount:{account_namespace}:{account} -A answers yes",
        ),
    ),
    docs=(
        "https://kubernetes.io/docs/reference/access-authn-authz/rbac/",
        "https://learn.microsoft.com/azure/aks/concepts-identity",
    ),
    ask="kubectl auth can-i --list --as=system:serviceaccount:{account_namespace}:{account}",
    leads_to=(
        "kubernetes.caches_not_synced",
        "kubernetes.program_fails",
        "kubernetes.coredns_down",
    ),
)
