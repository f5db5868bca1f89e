from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The cluster would be left without a usable system node pool",
    severity=Severity.ERROR,
    categories=(
        Category.CREATION,
        Category.SCALING,
    ),
    detect=(
        Signature(
            pattern=r"(?i)\b(?:SystemPoolHasRestrictedTaint|CanNotTaintAllAgentPools|MustDefineAtLeastOneSystemPool|SystemPoolMustBe(?:Regular|Linux)|MustNotBeTheSystemPool)\b|Placing custom taints on all node ?pools|insufficient nodes for system pod scheduling|Must (?:define|have) at least one system (?:agent ?|node ?)?pool|(?:There has to be|requires?|needs?) at least one system (?:agent ?|node ?)?pool|(?:last|only) system (?:node ?|agent ?)?pool|\bSystemPoolRequired\b|(?:Spot|Windows|zero|scale to 0)\b.{0,60}?(?:can ?not|not (?:be )?(?:supported|allowed)).{0,40}?system (?:node ?|agent ?)?pools?|system (?:node ?|agent ?)?pools? (?:must have|should have|needs?) at least (?:one|1|\d) node|system (?:node ?|agent ?)?pools? must be (?:of )?(?:priority )?regular|system (?:node ?)?pool must be linux|system (?:node ?|agent ?)?pool\b.{0,60}?\b(?:can ?not|must not|not allowed).{0,30}?\bSpot\b|(?:taint|CriticalAddonsOnly).{0,80}?(?:only|not|allowed) .{0,40}?system (?:node ?|agent ?)?pools?",
            says="no system node pool would be left, or it would not be usable as one",
            sample="(BadRequest) There has to be at least one system agent pool. Target: agentPoolProfile",
            near_miss="The cluster has at least one system agent pool, and two user pools",
        ),
    ),
    why="CoreDNS, metrics-server and konnectivity run on node pools of mode System. A cluster must have one of them at all times: Linux, not spot, with at least one node, and with no taint that keeps those pods away except CriticalAddonsOnly. The request makes a cluster without one, deletes the last one, or gives it a form that cannot be a system pool.",
    remedy=(
        Step(
            "See the mode of each pool.",
            run=(
                "az",
                "aks",
                "nodepool",
                "list",
                "-g",
                "{resource_group}",
                "--cluster-name",
                "{cluster}",
                "--query",
                "[].[name,mode,count]",
                "-o",
                "table",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Give one pool of the request mode System, or add a system pool before the last one is deleted or changed: az aks nodepool add with --mode System."
        ),
    ),
    docs=("https://learn.microsoft.com/azure/aks/use-system-pools",),
    leads_to=(
        "aks.operation_failed",
        "aks.request_refused",
    ),
    ask="az aks nodepool list -g {resource_group} --cluster-name {cluster} -o json",
)
