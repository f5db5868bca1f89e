from sickbay.model.installed import CustomResourceDefinition
from sickbay.model.snapshot import Snapshot
from sickbay.network.services_ready import why_silent
from sickbay.rulekit import Category, Clear, Match, Risk, Rule, Severity, Signature, Step, each


@each(CustomResourceDefinition)
def converts_without_pods(
    definition: CustomResourceDefinition, snapshot: Snapshot
) -> Match | Clear | None:
    conversion = definition.spec.conversion
    client = conversion.webhook.client_config if conversion and conversion.webhook else None
    target = client.service if client else None
    if conversion is None or conversion.strategy != "Webhook" or target is None:
        return None
    served = [one.name for one in definition.spec.versions or () if one.served]
    state = why_silent(snapshot, target.namespace, target.name)
    if not state or len(served) < 2:  # noqa: PLR2004 - between one and itself nothing is converted
        return Clear(f"what converts {definition.name} answers, or is not needed")
    return Match(
        f"the objects of {definition.name} are converted between {', '.join(served)} by a webhook, and its service {target.namespace}/{target.name} {state}, so they can be neither read nor written",
        facts={
            "webhook": definition.name,
            "service": target.name,
            "service_namespace": target.namespace,
        },
        cites=(
            definition.cite(
                "spec.conversion.webhook.clientConfig.service", f"{target.namespace}/{target.name}"
            ),
        ),
    )


RULE = Rule(
    title="The webhook that converts the versions of a custom resource cannot be called",
    severity=Severity.ERROR,
    categories=(Category.WORKLOAD, Category.UPGRADE),
    detect=(
        converts_without_pods,
        Signature(
            pattern=r"conversion webhook for (?P<webhook>[\w./-]+), Kind=\w+ failed: .{0,400}?(?:connection refused|no endpoints available for service|not found|context deadline exceeded|Gateway Timeout|i/o timeout|no route to host|EOF|connection reset|proxy error|Address is not allowed)",
            says="the webhook that converts {webhook} cannot be called",
            sample='Error from server: conversion webhook for cert-manager.io/v1alpha2, Kind=Certificate failed: Post "https://cert-manager-webhook.cert-manager.svc:443/convert?timeout=30s": dial tcp 10.0.1.2:443: connect: connection refused',
            near_miss="conversion webhook for cert-manager.io/v1alpha2, Kind=Certificate succeeded",
            passes=True,
        ),
    ),
    why="Objects of a custom resource are stored in one version and converted by a webhook when another is asked for. While its pods are down, missing or unreachable, no such object can be read, listed or written, also not by the controllers, the garbage collector and the deletion of namespaces; no failure policy passes over it.",
    remedy=(
        Step(
            "See which service converts, and what stands behind it.",
            run=(
                "kubectl",
                "get",
                "crd",
                "-o",
                "custom-columns=NAME:.metadata.name,CONVERSION:.spec.conversion.strategy,NAMESPACE:.spec.conversion.webhook.clientConfig.service.namespace,SERVICE:.spec.conversion.webhook.clientConfig.service.name",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Bring the pods of the operator that serves the webhook up, or install it again with the same version.",
            risk=Risk.DISRUPTIVE,
            verify="kubectl get of the custom resource answers",
        ),
        Step(
            "If the operator is gone for good, remove its definitions (their objects go with them) or set spec.conversion.strategy None.",
            risk=Risk.DISRUPTIVE,
        ),
    ),
    docs=(
        "https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definition-versioning/#webhook-conversion",
    ),
    leads_to=(
        "kubernetes.namespace_stuck",
        "kubernetes.release_gave_up",
        "kubernetes.condition_timeout",
        "kubernetes.caches_not_synced",
    ),
    ask="kubectl get crd -o json",
)
