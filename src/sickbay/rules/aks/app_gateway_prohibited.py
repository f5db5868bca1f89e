from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="AGIC may change nothing on its Application Gateway: an AzureIngressProhibitedTarget covers everything",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY,),
    detect=(
        Signature(
            pattern=r"\bprohibit-all-targets?\b|Prohibited targets: \{\"Hostname\": ?\"\",? ?\"Paths\": ?\[\]\}",
            says="a prohibited target covers every host of the gateway",
            sample="agic   prohibit-all-targets   5m",
            near_miss='Prohibited targets: {"Hostname":"old.contoso.com"}',
            weight=TYPICAL,
        ),
    ),
    why="Where AGIC shares its Application Gateway (appgw.shared), each AzureIngressProhibitedTarget names hosts and paths that it must leave alone. Its Helm chart makes one, prohibit-all-targets, at every installation and upgrade that covers everything: AGIC sees that pods and ingresses change, and changes nothing, so the gateway goes on sending requests to pods that are gone (502).",
    remedy=(
        Step(
            "See what is prohibited.",
            run=("kubectl", "get", "azureingressprohibitedtargets", "-A", "-o", "yaml"),
            risk=Risk.READ,
        ),
        Step(
            "First make one for each host or path that AGIC must not touch: without any, it removes what others made on the gateway."
        ),
        Step(
            "Then delete the one that covers everything.",
            run=(
                "kubectl",
                "delete",
                "azureingressprohibitedtarget",
                "prohibit-all-targets",
                "-n",
                "<namespace>",
            ),
            risk=Risk.DISRUPTIVE,
            verify="AGIC logs Applied generated Application Gateway configuration",
        ),
    ),
    docs=(
        "https://azure.github.io/application-gateway-kubernetes-ingress/setup/install-existing/",
    ),
    leads_to=("network.backend_refuses",),
    ask="kubectl get azureingressprohibitedtargets -A",
)
