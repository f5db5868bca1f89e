from collections.abc import Iterable

from sickbay.model.entity import KubeEntity
from sickbay.model.guards import (
    APIService,
    MutatingWebhookConfiguration,
    ValidatingWebhookConfiguration,
    WebhookConfiguration,
    WebhookService,
)
from sickbay.model.ids import kube
from sickbay.model.policies import NetworkPolicy
from sickbay.model.snapshot import Snapshot
from sickbay.model.workloads import Service
from sickbay.network.policy_callers import Refused, api_tunnel, refused
from sickbay.network.services import wiring
from sickbay.rulekit import Category, Cite, Clear, Match, Risk, Rule, Severity, Step, each


@each(ValidatingWebhookConfiguration)
def drops_validation(
    hooks: ValidatingWebhookConfiguration, snapshot: Snapshot
) -> Match | Clear | None:
    return _judge(hooks, _services(hooks), snapshot)


@each(MutatingWebhookConfiguration)
def drops_mutation(hooks: MutatingWebhookConfiguration, snapshot: Snapshot) -> Match | Clear | None:
    return _judge(hooks, _services(hooks), snapshot)


@each(APIService)
def drops_served_api(api: APIService, snapshot: Snapshot) -> Match | Clear | None:
    return _judge(api, [api.spec.service] if api.spec.service else [], snapshot)


def _services(hooks: WebhookConfiguration) -> Iterable[WebhookService]:
    clients = [hook.client_config for hook in hooks.webhooks or ()]
    return [client.service for client in clients if client and client.service]


def _judge(
    user: KubeEntity, services: Iterable[WebhookService], snapshot: Snapshot
) -> Match | Clear | None:
    for namespace, name in sorted({(one.namespace, one.name) for one in services}):
        found = _refused(namespace, name, snapshot)
        if found:
            return Match(
                f"{found.by.kind} {found.by.name} drops TCP {found.port} from {found.caller}, through which the API server comes, to {found.target}, which serves {user.name}",
                facts={
                    "policy": found.policy,
                    "policy_namespace": found.namespace,
                    "patch": found.patch,
                    "user": user.name,
                },
                cites=(
                    Cite(found.by.ref or user.ref, "spec", found.by.says),
                    user.cite("service", f"{namespace}/{name}"),
                ),
            )
    return Clear(f"no policy keeps the API server from what serves {user.name}")


def _refused(namespace: str, name: str, snapshot: Snapshot) -> Refused | None:
    if not snapshot.in_namespace(NetworkPolicy, namespace):
        snapshot.require(NetworkPolicy, namespace)
        return None
    service, caller = (
        snapshot.get(kube(Service.kind, namespace, name), Service),
        api_tunnel(snapshot),
    )
    backends = wiring(snapshot, service).backends if service else ()
    backend = next((one for one in backends if one.ready and one.pod), None)
    return refused(snapshot, caller, backend) if caller and backend else None


RULE = Rule(
    title="A network policy keeps the API server from an admission webhook or an aggregated API",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY, Category.WORKLOAD),
    detect=(drops_validation, drops_mutation, drops_served_api),
    why="In AKS the API server calls webhooks and aggregated APIs through the konnectivity agents in kube-system. A policy of type Ingress that selects the pods of the webhook and has no rule for these agents drops the calls: requests are refused with `failed calling webhook … context deadline exceeded`, and the aggregated API is not available.",
    remedy=(
        Step(
            "See the policies of the namespace.",
            run=("kubectl", "describe", "networkpolicies", "-n", "{policy_namespace}"),
            risk=Risk.READ,
        ),
        Step(
            "Let the konnectivity agents in.",
            run=(
                "kubectl",
                "patch",
                "networkpolicy",
                "{policy}",
                "-n",
                "{policy_namespace}",
                "--type",
                "json",
                "-p",
                "{patch}",
            ),
            risk=Risk.DISRUPTIVE,
            verify="a request that {user} watches is accepted",
        ),
    ),
    docs=(
        "https://kubernetes.io/docs/concepts/services-networking/network-policies/",
        "https://learn.microsoft.com/azure/aks/use-network-policies",
    ),
    leads_to=(
        "kubernetes.webhook_down",
        "kubernetes.conversion_webhook_down",
        "kubernetes.served_api_down",
    ),
)
