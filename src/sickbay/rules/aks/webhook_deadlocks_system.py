from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="An admission webhook covers kube-system and blocks the pods that its own calls travel through",
    severity=Severity.ERROR,
    categories=(
        Category.CONNECTIVITY,
        Category.WORKLOAD,
        Category.UPGRADE,
    ),
    detect=(
        Signature(
            pattern=r"failed calling webhook (?P<webhook>[\w./-]+)?.{0,400}?tunnel-uds/proxysocket: (?:write|read|connect)|failed calling webhook .{0,400}?/tunnel-uds/",
            says="a call to a webhook broke in the tunnel to the nodes",
            sample='Internal error occurred: failed calling webhook "mutate.kyverno.svc-fail": failed to call webhook: Post "https://kyverno-svc.kyverno.svc:443/mutate/fail?timeout=10s": write unix @->/tunnel-uds/proxysocket: write: broken pipe',
            near_miss='failed calling webhook "v.example.com": Post "https://w.example.svc:443/v": context deadline exceeded',
        ),
    ),
    why="The API server calls webhooks of a cluster through the konnectivity tunnel. A webhook with failurePolicy Fail (Kyverno, OPA and the like) that also covers kube-system refuses the pods of that very tunnel or of the network while it cannot be called, so neither ever comes up; the call breaks at /tunnel-uds/proxysocket.",
    remedy=(
        Step(
            "See which webhooks fail closed, and which namespaces they leave out.",
            run=(
                "kubectl",
                "get",
                "validatingwebhookconfigurations,mutatingwebhookconfigurations",
                "-o",
                "yaml",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Save and delete the configuration, so that the system pods start.",
            run=(
                "kubectl",
                "delete",
                "validatingwebhookconfiguration,mutatingwebhookconfiguration",
                "<name>",
            ),
            risk=Risk.DISRUPTIVE,
            verify="kubectl get pods -n kube-system wants all of them Running",
        ),
        Step("Install the webhook again with kube-system left out of its namespaceSelector."),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/create-upgrade-delete/troubleshoot-apiserver-etcd",
        "https://kubernetes.io/docs/reference/access-authn-authz/extensible-admission-controllers/",
    ),
    leads_to=(
        "kubernetes.webhook_down",
        "kubernetes.conversion_webhook_down",
        "kubernetes.rollout_stuck",
        "network.konnectivity_down",
    ),
    ask="kubectl get validatingwebhookconfigurations,mutatingwebhookconfigurations -o json",
    spreads=True,
)
