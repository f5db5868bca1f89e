from sickbay.model.guards import (
    MutatingWebhookConfiguration,
    ValidatingWebhookConfiguration,
    WebhookConfiguration,
)
from sickbay.model.snapshot import Snapshot
from sickbay.network.services_ready import why_silent
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


@each(ValidatingWebhookConfiguration)
def validates_without_pods(
    hooks: ValidatingWebhookConfiguration, snapshot: Snapshot
) -> Match | Clear | None:
    return _judge(hooks, snapshot)


@each(MutatingWebhookConfiguration)
def mutates_without_pods(
    hooks: MutatingWebhookConfiguration, snapshot: Snapshot
) -> Match | Clear | None:
    return _judge(hooks, snapshot)


def _judge(hooks: WebhookConfiguration, snapshot: Snapshot) -> Match | Clear | None:
    for hook in hooks.webhooks or ():
        target = hook.client_config.service if hook.client_config else None
        if target is None or not hook.blocks:
            continue
        state = why_silent(snapshot, target.namespace, target.name)
        if not state:
            continue
        return Match(
            f"webhook {hook.name} refuses requests when it cannot be called, and its service {target.namespace}/{target.name} {state}",
            facts={
                "webhook": hook.name,
                "service": target.name,
                "service_namespace": target.namespace,
            },
            cites=(
                hooks.cite("webhooks[*].clientConfig.service", f"{target.namespace}/{target.name}"),
            ),
        )
    return Clear(f"the webhooks of {hooks.name} have ready pods, or do not block")


RULE = Rule(
    title="An admission webhook cannot be called, so requests to the API server are refused",
    severity=Severity.ERROR,
    categories=(Category.WORKLOAD, Category.UPGRADE),
    detect=(
        validates_without_pods,
        mutates_without_pods,
        Signature(
            pattern=r'failed calling (?:admission )?webhook "(?P<webhook>[\w./-]+)": .{0,400}?(?:connection refused|no endpoints available for service|service "[^"]{1,200}" not found|context deadline exceeded|Client\.Timeout exceeded|Gateway Timeout|Service Unavailable|i/o timeout|connection timed out|no route to host|network is unreachable|no such host|broken pipe|EOF|connection reset|proxy error|Address is not allowed|unable to handle the request|could not find the requested resource|an error on the server|unexpected response code: \d+|server gave HTTP response to HTTPS client)',
            says="the API server could not call webhook {webhook}",
            sample='Internal error occurred: failed calling webhook "validate.kyverno.svc-fail": failed to call webhook: Post "https://kyverno-svc.kyverno.svc:443/validate/fail?timeout=10s": dial tcp 10.0.27.100:443: connect: connection refused',
            near_miss='admission webhook "validate.kyverno.svc-fail" denied the request: no latest tag',
            unless=r"[Ff]ailed calling webhook, failing open",
            passes=True,
        ),
        Signature(
            # What follows was cut off, or is worded as nobody knows: it was not answered anyway.
            pattern=r'failed calling (?:admission )?webhook "(?P<webhook>[\w./-]+)"',
            says="a call of webhook {webhook} failed",
            sample='Error: UPGRADE FAILED: cannot patch "web" with kind Ingress: Internal error occurred: failed calling webhook "validate.nginx.ingress.kubernetes.io": failed to call webhook: Post "https://ingress-nginx-contr',
            near_miss='admission webhook "validate.nginx.ingress.kubernetes.io" denied the request: host is already defined',
            unless=r"[Ff]ailed calling webhook, failing open|x509|tls: ",
            weight=TYPICAL,
            passes=True,
        ),
    ),
    why="A webhook with failurePolicy Fail must answer before the API server stores an object; when its pods are down or cannot be reached, everything that it watches is refused, which may even keep its own pods from starting.",
    remedy=(
        Step(
            "See the webhooks and their services.",
            run=("kubectl", "get", "validatingwebhookconfigurations,mutatingwebhookconfigurations"),
            risk=Risk.READ,
        ),
        Step(
            "Bring the pods of the webhook up; if it blocks itself, delete its configuration (its operator makes it again).",
            run=("kubectl", "delete", "validatingwebhookconfiguration", "<name>"),
            risk=Risk.DISRUPTIVE,
            verify="the refused request is accepted",
        ),
        Step("Exclude kube-system from it, or set failurePolicy Ignore."),
    ),
    docs=(
        "https://kubernetes.io/docs/reference/access-authn-authz/extensible-admission-controllers/",
        "https://learn.microsoft.com/azure/aks/faq",
    ),
    leads_to=(
        "kubernetes.pods_not_created",
        "kubernetes.rollout_stuck",
        "kubernetes.condition_timeout",
        # Evictions are requests as well.
        "aks.drain_failed",
        "kubernetes.release_gave_up",
    ),
)
