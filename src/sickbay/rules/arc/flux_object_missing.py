from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The Flux object that is asked for does not exist in that namespace (Kustomization, source, HelmRelease)",
    severity=Severity.ERROR,
    categories=(Category.WORKLOAD,),
    detect=(
        Signature(
            pattern=r"(?i)(?:Kustomization|GitRepository|HelmRelease|HelmRepository|Bucket|OCIRepository) object '(?P<name>[\w.-]+)' not found in \"(?P<space>[\w.-]+)\" namespace|✗ no \w+ objects found in|✗ \w+\.(?:kustomize|source|helm)\.toolkit\.fluxcd\.io \"(?P<other>[\w.-]+)\" not found|Kustomization with name '(?P<named>[\w.-]+)' does not exist on configuration|Cannot (?:update|delete) a kustomization that doesn't exist|Kustomization name '(?P<wanted>[\w.-]+)' does not exist on configuration",
            says="the Flux object does not exist",
            sample="✗ Kustomization object 'cluster-config-apps' not found in \"cluster-config\" namespace",
            near_miss="► annotating Kustomization cluster-config-apps in cluster-config namespace",
        ),
    ),
    why="Objects of a Flux configuration are named after it (<configuration>-<kustomization>) and live in its namespace. The name or namespace is another one, or the configuration was never applied because it was refused or its extension failed.",
    remedy=(
        Step(
            "See what there is.",
            run=(
                "kubectl",
                "get",
                "gitrepositories,kustomizations,helmreleases",
                "-A",
            ),
            risk=Risk.READ,
        ),
        Step(
            "See what the configuration in Azure says.",
            run=(
                "az",
                "k8s-configuration",
                "flux",
                "list",
                "-g",
                "{resource_group}",
                "-c",
                "{cluster}",
                "-t",
                "<cluster-type>",
                "-o",
                "table",
            ),
            risk=Risk.READ,
        ),
    ),
    docs=("https://learn.microsoft.com/azure/azure-arc/kubernetes/troubleshooting",),
)
