from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="AKS on Azure Local refuses the cluster or node pool as it was asked for (validation of the request)",
    severity=Severity.ERROR,
    categories=(Category.CREATION, Category.SCALING, Category.UPGRADE),
    detect=(
        Signature(
            pattern=r"(?i)admission webhook \W?v(?:hybridaks\w*|provisionedcluster\w*|akshci\w*|aksarc\w*|nodepool\w*)[\w.]*\W? denied the request(?::? (?P<reason>.{3,200}))?|\b(?:Cluster|Nodepool)PrecheckFailed\b.{0,60}?(?P<precheck>Detailed message: .{3,200})?",
            says="the request was not accepted: {reason}",
            sample='(BadRequest) admission webhook "vhybridakscluster.kb.io" denied the request: the teapot is not in the mood',
            near_miss='admission webhook "vhybridakscluster.kb.io" accepted the request',
            weight=TYPICAL,
        ),
    ),
    why="The Arc resource bridge validates a cluster before it makes anything: version and image, SSH key, number and size of nodes, logical network and addresses. One of these did not pass; the words after `denied the request` (or the name of the validation check) say which.",
    remedy=(
        Step(
            "Compare the request with what the custom location offers.",
            run=(
                "az",
                "aksarc",
                "get-versions",
                "-g",
                "{resource_group}",
                "--custom-location",
                "<custom-location>",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Change the value that the message names, delete the failed cluster and create it again.",
            risk=Risk.DISRUPTIVE,
            verify="az aksarc show wants provisioningState Succeeded",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/aks/aksarc/aks-troubleshoot",),
    leads_to=("kubernetes.webhook_denied", "hybrid.cluster_failed"),
    ask="az aksarc show -g {resource_group} -n {cluster} --query properties.status.errorMessage",
    wraps=True,
)
