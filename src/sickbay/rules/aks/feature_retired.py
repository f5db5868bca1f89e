from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The request asks for a feature, add-on or image that AKS has retired",
    severity=Severity.ERROR,
    categories=(
        Category.CREATION,
        Category.UPGRADE,
    ),
    detect=(
        Signature(
            pattern=r"(?i)Diagnostic settings? does not support retention|\b(?:PodSecurityPolicy|OpenServiceMeshAddon)NotSupportedWithOrchestratorVersion\b|\bLowPriPoolDeprecated\b|kube-?dashboard add-?on was not found|(?:open service mesh|http.?application.?routing|kube-?dashboard|pod.?identity|kubenet)(?: add-?on)? is not supported (?:in|on|for|from|with) (?:kubernetes|version|k8s)|(?:kube-?dashboard|http.?application.?routing|pod security policy|PodSecurityPolicy|pod.?identity add-?on|open service mesh|AAD legacy|aci.?connector|basic (?:sku )?load ?balancer|azure ?linux 2(?:\.0)?|ubuntu ?(?:16|18|20)\.?04|windows ?(?:server )?(?:2019|20h2|annual(?: channel)?)|dev ?spaces)\b.{0,120}?(?:(?:is|are|was|has been|have been) (?:now )?(?:deprecated|retired|removed|no longer supported|no longer available)|since it'?s deprecated|retirement)|(?:not allowed|not supported|disallowed|blocked|unsupported) (?:since|because|as) (?:it|they|this)(?:'s| is| are| has been| have been) (?:deprecated|retired|removed)|\b\w+(?:AddonDeprecated|Deprecated|Retired)\b: |\bPodSecurityPolicyNotSupported\b",
            says="AKS no longer offers what the request asks for",
            sample="AADLegacyDeprecated: Creating AAD legacy cluster is not allowed since it's deprecated. Please use AKS-managed AAD.",
            near_miss="The kube-dashboard add-on is disabled",
            unless=r"(?i)no matches for kind|warnings\.go|^Warning: |resource mapping not found",
        ),
    ),
    why="AKS takes features out of service on announced dates: the dashboard add-on, HTTP application routing, pod security policies, pod identity, Open Service Mesh, the first Entra ID integration, old Ubuntu, Windows and Azure Linux images. After the date a request that still asks for one is refused, also when it only repeats what the cluster has.",
    remedy=(
        Step(
            "Take the setting out of the command or template, or replace it by its successor: managed Entra ID, application routing, Pod Security Admission, workload identity, the Istio add-on, a current OS SKU."
        ),
        Step(
            "Disable an add-on that is still enabled before the upgrade.",
            run=(
                "az",
                "aks",
                "show",
                "-g",
                "{resource_group}",
                "-n",
                "{cluster}",
                "--query",
                "addonProfiles",
                "-o",
                "json",
            ),
            risk=Risk.READ,
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/aks/supported-kubernetes-versions",
        "https://azure.microsoft.com/updates/",
    ),
    leads_to=(
        "aso.offer_retired",
        "aks.operation_failed",
        "aks.request_refused",
    ),
    ask="az aks show -g {resource_group} -n {cluster} --query addonProfiles -o json",
)
