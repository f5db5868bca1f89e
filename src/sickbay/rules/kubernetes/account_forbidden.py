from sickbay.model.access import AuditEvent, why_refused
from sickbay.model.snapshot import Snapshot
from sickbay.rulekit import Category, Clear, Match, Risk, Rule, Severity, Signature, Step, each


@each(AuditEvent)
def was_refused(event: AuditEvent, snapshot: Snapshot) -> Match | Clear | None:
    refused = event.refused
    if refused is None or not refused[1].namespace:
        return None
    account, asked = refused
    reason = why_refused(account, asked, snapshot)
    return Match(
        f"service account {account.namespace}/{account.name} may not {asked.verb} {asked} in namespace {asked.namespace}"
        + (f": {reason}" if reason else ""),
        {
            "account_namespace": account.namespace,
            "account": account.name,
            "verb": asked.verb,
            "resource": str(asked),
            "kind": asked.resource.partition("/")[0],
            "namespace": asked.namespace,
        },
        (event.cite("responseStatus.code", 403),),
        at=event.request_received_timestamp or "",
        subject=account,
    )


RULE = Rule(
    title="A service account may not do in a namespace what its program asks (403 Forbidden, RBAC)",
    severity=Severity.ERROR,
    categories=(Category.IDENTITY,),
    detect=(
        was_refused,
        Signature(
            pattern=r"(?P<resource>(?P<kind>[a-z][a-z0-9]*)[\w.-]*) (?:\"[^\"]{0,250}\" )?is forbidden: User \"system:serviceaccount:(?P<account_namespace>[a-z0-9.-]{1,63}):(?P<account>[\w.-]{1,253})\" cannot (?P<verb>\w+) resource \"[\w.-]+\" in API group \"[\w.-]*\" in the namespace \"(?P<namespace>[a-z0-9-]{1,63})\"",
            says="service account {account_namespace}/{account} may not {verb} {resource} in namespace {namespace}",
            sample='Error from server (Forbidden): deployments.apps is forbidden: User "system:serviceaccount:ops:operator" cannot list resource "deployments" in API group "apps" in the namespace "shop"',
            near_miss='pods "cart-1" is forbidden: exceeded quota: compute',
        ),
        Signature(
            pattern=r"is forbidden: User \"system:serviceaccount:(?P<account_namespace>[a-z0-9.-]{1,63}):(?P<account>[\w.-]{1,253})\" cannot (?P<verb>\w+) resource \"(?P<resource>(?P<kind>[a-z][a-z0-9]*)[\w.-]*/[\w-]+)\" in API group \"[\w.-]*\" in the namespace \"(?P<namespace>[a-z0-9-]{1,63})\"",
            says="service account {account_namespace}/{account} may not {verb} {resource} in namespace {namespace}",
            sample='pods "cart-1" is forbidden: User "system:serviceaccount:ops:operator" cannot create resource "pods/exec" in API group "" in the namespace "shop"',
            near_miss='pods "cart-1" is forbidden: violates PodSecurity "restricted:latest"',
        ),
        Signature(
            pattern=r"User \"system:serviceaccount:(?P<account_namespace>[a-z0-9.-]{1,63}):(?P<account>[\w.-]{1,253})\" cannot (?P<verb>[a-z]+) (?P<resource>(?P<kind>[a-z][a-z0-9]*)[\w./-]*) in the namespace \"(?P<namespace>[a-z0-9-]{1,63})\"",
            says="service account {account_namespace}/{account} may not {verb} {resource} in namespace {namespace}",
            sample='pods is forbidden: User "system:serviceaccount:ops:operator" cannot list pods in the namespace "shop"',
            near_miss='User "system:serviceaccount:ops:operator" can list pods',
        ),
        Signature(
            # Cut off at the front.
            pattern=r"^\W{0,3}User \"system:serviceaccount:(?P<account_namespace>[a-z0-9.-]{1,63}):(?P<account>[\w.-]{1,253})\" cannot (?P<verb>\w+) resource \"(?P<resource>(?P<kind>[a-z][a-z0-9]*)[\w./-]*)\" in API group \"[\w.-]*\" in the namespace \"(?P<namespace>[a-z0-9-]{1,63})\"",
            says="service account {account_namespace}/{account} may not {verb} {resource} in namespace {namespace}",
            sample='User "system:serviceaccount:ops:operator" cannot patch resource "serviceaccounts" in API group "" in the namespace "shop"',
            near_miss='User "system:serviceaccount:ops:operator" can patch resource "serviceaccounts" in API group "" in the namespace "shop"',
        ),
        Signature(
            # Cut off at the end, or told by the API server itself.
            pattern=r"is forbidden: User \"system:serviceaccount:(?:[a-z0-9.-]{1,63}):(?P<account>[\w.-]{1,253})\" cannot \w+ resource \"[\w./-]+\"?\W{0,6}$|RBAC:? DENY: user \"system:serviceaccount:[a-z0-9.-]{1,63}:(?P<denied>[\w.-]{1,253})\"",
            says="service account [{account}][{denied}] may not do what it asks",
            sample='pods "cart-1" is forbidden: User "system:serviceaccount:ops:operator" cannot get resource "pods/log"',
            near_miss='pods "cart-1" is forbidden: User "system:serviceaccount:ops:operator" waits',
        ),
    ),
    why="Kubernetes RBAC grants nothing by default: no Role in the namespace, and no ClusterRole, that is bound to this service account allows the verb on the resource, so the API server answers 403 Forbidden. Either no RoleBinding names the account (mind its own namespace), or the role that is bound lacks the verb, the resource or its API group.",
    remedy=(
        Step(
            "See which bindings name the account, and whether their role lacks only this verb or resource.",
            run=(
                "kubectl",
                "get",
                "rolebindings,clusterrolebindings",
                "-n",
                "{namespace}",
                "-o",
                "wide",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Make a role that allows exactly what was denied.",
            run=(
                "kubectl",
                "create",
                "role",
                "{account}-{verb}-{kind}",
                "--verb={verb}",
                "--resource={resource}",
                "-n",
                "{namespace}",
            ),
            risk=Risk.SAFE,
        ),
        Step(
            "Bind it to the service account.",
            run=(
                "kubectl",
                "create",
                "rolebinding",
                "{account}-{verb}-{kind}",
                "--role={account}-{verb}-{kind}",
                "--serviceaccount={account_namespace}:{account}",
                "-n",
                "{namespace}",
            ),
            risk=Risk.SAFE,
            verify="kubectl auth can-i {verb} {resource} --as=system:serviceaccount:{account_namespace}:{account} -n {namespace} answers yes",
        ),
    ),
    docs=(
        "https://kubernetes.io/docs/reference/access-authn-authz/rbac/",
        "https://learn.microsoft.com/azure/aks/concepts-identity",
    ),
    ask="kubectl auth can-i --list --as=system:serviceaccount:{account_namespace}:{account} -n {namespace}",
    leads_to=("kubernetes.program_fails", "kubernetes.coredns_down"),
)
