from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The branch, tag or path that a GitOps application names is not in its repository",
    severity=Severity.ERROR,
    categories=(Category.WORKLOAD,),
    detect=(
        Signature(
            pattern=r"(?i)Unable to resolve '(?P<revision>[^']{1,120})' to a commit SHA|(?P<path>[\w./-]{1,200}): app path does not exist|app path is not a directory|kustomization path not found: stat \S{1,200}|unable to (?:clone|checkout).{0,120}?(?:couldn't find remote ref|reference not found)|unable to get app details: .{0,120}?stat \S{1,200}: no such file or directory",
            says="the repository has no such revision or path",
            sample="ComparisonError: Failed to load target state: failed to generate manifest for source 1 of 1: rpc error: code = Unknown desc = apps/web: app path does not exist",
            near_miss="failed to list refs: authentication required",
            unless=r"(?i)GitRepository|determine revision|azure-k8s-flux|source-controller",
        ),
    ),
    why="The repository was read, but the branch, tag, commit or folder of the application is not in it: renamed, deleted, not pushed yet, or written differently.",
    remedy=(
        Step(
            "See what the application names.",
            run=(
                "kubectl",
                "get",
                "applications,kustomizations",
                "-A",
                "-o",
                "yaml",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Correct targetRevision or path, or push what is missing.",
            risk=Risk.SAFE,
            verify="the application compares without an error",
        ),
    ),
    docs=("https://argo-cd.readthedocs.io/en/stable/user-guide/tracking_strategies/",),
    ask="kubectl get applications -A -o yaml",
)
