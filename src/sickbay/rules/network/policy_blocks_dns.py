from sickbay.model.evidence import Gap, UnseenError
from sickbay.model.policies import NetworkPolicy, PolicySpec
from sickbay.model.snapshot import Snapshot
from sickbay.network.policy_names import deaf_pods
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

ALLOW = '{"to":[{"namespaceSelector":{"matchLabels":{"kubernetes.io/metadata.name":"kube-system"}},"podSelector":{"matchLabels":{"k8s-app":"kube-dns"}}}],"ports":[{"protocol":"UDP","port":53},{"protocol":"TCP","port":53}]}'


@each(NetworkPolicy)
def drops_questions(policy: NetworkPolicy, snapshot: Snapshot) -> Match | Clear | None:
    found = deaf_pods(snapshot).get(policy.ref)
    if found is None:
        return Clear(f"{policy.namespace}/{policy.name} keeps no pod from asking CoreDNS")
    if not found.reaches:
        # Pods that may send nothing at all are mostly meant to.
        look = f"kubectl exec -n {found.pod.replace('/', ' ')} -- nslookup kubernetes.default"
        what = f"whether {found.pod} needs names: its policies let nothing out that has one"
        raise UnseenError(Gap("Pod", what, to_open=look))
    return Match(
        f"{found.by.kind} {found.by.name} drops the questions of {found.pod} to CoreDNS (UDP 53), while it may reach {found.reaches}",
        facts={"policy": policy.name, "patch": _patch(policy)},
        cites=(policy.cite("spec", found.by.says),),
        # Others in the cluster could be dialled by their address, though nobody does.
        weight=None if found.is_certain else TYPICAL,
    )


def _patch(policy: NetworkPolicy) -> str:
    spec = policy.read(PolicySpec)
    if not isinstance(spec, str) and spec.egress:
        return f'[{{"op":"add","path":"/spec/egress/-","value":{ALLOW}}}]'
    return f'[{{"op":"add","path":"/spec/egress","value":[{ALLOW}]}}]'


RULE = Rule(
    title="A network policy lets pods out but not to CoreDNS, so no name resolves for them (port 53)",
    severity=Severity.WARNING,
    categories=(Category.CONNECTIVITY,),
    detect=(
        drops_questions,
        Signature(
            pattern=r"(?i)(?:default[- ]deny|deny[- ]all|network ?polic(?:y|ies))\b.{0,300}?(?:can(?:'t|not| ?not)|unable to|no longer|fails? to|stopped?) .{0,40}?\b(?:resolv\w+|dns|look ?up|nslookup)|(?:dns|resolv\w+|nslookup) .{0,80}?(?:fails?|stopp?(?:s|ed)|timed? ?out|not work\w*) .{0,120}?(?i:after|since|once|when) .{0,60}?network ?polic|(?:default[- ]deny|deny[- ]all|policyTypes:? ?\[?Egress|egress network ?policy)\b.{0,300}?\b(?:EAI_AGAIN|no such host|i/o timeout .{0,40}?:53|name resolution|Could not resolve|server misbehaving|lookup \S{3,253} on \S{3,40}:53: read udp)",
            says="names no longer resolve since a network policy was applied",
            sample="after applying a default deny egress NetworkPolicy the pods can no longer resolve any name",
            near_miss="a default deny NetworkPolicy is applied and DNS is allowed to kube-system",
            weight=TYPICAL,
        ),
    ),
    why="As soon as a policy of type Egress selects a pod, it may send only what some policy allows, and questions to the DNS of the cluster (UDP and TCP 53 to the pods of CoreDNS in kube-system) are traffic like any other. Without a rule for them every lookup times out, and what the policy allows cannot be found.",
    remedy=(
        Step(
            "See what the policy allows.",
            run=("kubectl", "describe", "networkpolicy", "{policy}", "-n", "{namespace}"),
            risk=Risk.READ,
        ),
        Step(
            "Let the pods ask CoreDNS.",
            run=(
                "kubectl",
                "patch",
                "networkpolicy",
                "{policy}",
                "-n",
                "{namespace}",
                "--type",
                "json",
                "-p",
                "{patch}",
            ),
            risk=Risk.SAFE,
            verify="nslookup kubernetes.default from one of the pods answers",
        ),
    ),
    docs=(
        "https://kubernetes.io/docs/concepts/services-networking/network-policies/",
        "https://learn.microsoft.com/azure/aks/use-network-policies",
    ),
    leads_to=("network.dns_server_silent", "network.name_resolution_fails"),
    ask="kubectl get networkpolicies -n {namespace} -o yaml",
)
