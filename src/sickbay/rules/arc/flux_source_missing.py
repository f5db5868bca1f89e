from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="Flux does not find the source object, branch, path or chart version that its configuration names",
    severity=Severity.ERROR,
    categories=(
        Category.CREATION,
        Category.WORKLOAD,
    ),
    detect=(
        Signature(
            pattern=r"(?i)couldn't find remote ref \"?(?P<ref>[\w./-]+)|kustomization path not found: .{0,200}?(?P<path>/[\w./-]+): no such file|chart \"(?P<chart>[\w./-]+)\" version \"(?P<version>[^\"]{1,60})\" not found in|no '?(?P<kind>[\w-]+)'? chart with version matching '(?P<wanted>[^']{1,60})' found|failed to (?:retrieve|get) source: (?P<source>\w+)\.source\.toolkit\.fluxcd\.io .{1,120}? not found|(?:GitRepository|HelmRepository|Bucket|OCIRepository)\.source\.toolkit\.fluxcd\.io \"?(?P<object>[\w.-]+)\"? not found|git repository: .{0,100}?reference not found",
            unless=r"Error: (?:INSTALLATION|UPGRADE)? ?(?:FAILED)?:? ?chart|could not download chart",
            says="what the configuration names is not in the source",
            sample="failed to checkout and determine revision: unable to clone 'https://github.com/contoso/apps': couldn't find remote ref \"refs/heads/master\"",
            near_miss="fetched revision: main@sha1:0a1b2c3d",
        ),
    ),
    why="The source answers, but the branch or tag (often master instead of main), the path of a kustomization or the version of a chart does not exist in it.",
    remedy=(
        Step(
            "See what is configured.",
            run=(
                "az",
                "k8s-configuration",
                "flux",
                "show",
                "-g",
                "{resource_group}",
                "-c",
                "{cluster}",
                "-t",
                "connectedClusters",
                "-n",
                "<configuration>",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Correct branch, path or version in the configuration, or add what is missing to the repository.",
            run=(
                "az",
                "k8s-configuration",
                "flux",
                "update",
                "-g",
                "{resource_group}",
                "-c",
                "{cluster}",
                "-t",
                "connectedClusters",
                "-n",
                "<configuration>",
                "--branch",
                "<branch>",
            ),
            risk=Risk.SAFE,
            verify="kubectl get gitrepository,kustomization -A wants READY True",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/azure-arc/kubernetes/tutorial-use-gitops-flux2",),
    leads_to=("arc.flux_source_unready",),
    ask="kubectl get gitrepository,kustomization -A",
)
