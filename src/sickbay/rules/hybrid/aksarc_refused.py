from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="az aksarc or az hybridaks refuses the command: a value or option is not valid for this cluster",
    severity=Severity.ERROR,
    categories=(
        Category.CREATION,
        Category.SCALING,
    ),
    detect=(
        Signature(
            pattern=r"(?i)\baz (?:aksarc|hybridaks)\b[^:]{0,200}?(?::|\berror\b|\bfailed\b).{0,200}?(?:must be|must not|not supported|exceeds|\binvalid\b|is required|is not (?:valid|allowed|supported|enabled)|cannot be|\bfailed\b)",
            says="the command is refused",
            sample="az aksarc nodepool show: the pool name is required",
            near_miss="az aksarc nodepool update --enable-cluster-autoscaler --min-count 1 --max-count 3",
            unless=r"(?i)in parallel|concurrent|at once|provisioningState\W{1,4}Succeeded|\bno errors?\b",
            weight=TYPICAL,
        ),
    ),
    why="The commands for AKS enabled by Azure Arc check counts, options and versions on the client and on the resource bridge: minimum and maximum of the autoscaler, features that need a newer Azure Local, ids of group, network and custom location. The message names the option.",
    remedy=(
        Step(
            "See the cluster as it is.",
            run=(
                "az",
                "aksarc",
                "show",
                "-g",
                "{resource_group}",
                "-n",
                "{name}",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Correct the option that the message names; a feature that the cluster is too old for needs an update of Azure Local or a new cluster.",
            risk=Risk.SAFE,
            verify="the command ends without an error",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/aks/aksarc/aks-troubleshoot",),
    ask="az aksarc show -g {resource_group} -n {name}",
    vague=True,
)
