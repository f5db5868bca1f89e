from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The cluster cannot join the fleet: it is already a member of another one",
    severity=Severity.ERROR,
    categories=(Category.CREATION,),
    detect=(
        Signature(
            pattern=r"\bClusterAlreadyJoinedAnotherFleet\b|(?i:is already (?:a member of|joined to) another fleet)",
            says="the cluster belongs to another fleet",
            sample="(ClusterAlreadyJoinedAnotherFleet) Cluster shop is already a member of another fleet.",
            near_miss="Cluster shop joined the fleet",
        ),
    ),
    why="A cluster is a member of at most one fleet of Azure Kubernetes Fleet Manager. The membership in the older fleet must end before the new one can begin; changing the owner of the member does not move it.",
    remedy=(
        Step(
            "See the members of the older fleet.",
            run=(
                "az",
                "fleet",
                "member",
                "list",
                "-g",
                "{resource_group}",
                "--fleet-name",
                "<fleet>",
                "-o",
                "table",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Take the cluster out of it, and join it to the other.",
            run=(
                "az",
                "fleet",
                "member",
                "delete",
                "-g",
                "{resource_group}",
                "--fleet-name",
                "<fleet>",
                "-n",
                "<member>",
            ),
            risk=Risk.DISRUPTIVE,
            verify="az fleet member show wants provisioningState Succeeded",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/kubernetes-fleet/quickstart-create-fleet-and-members",
    ),
    leads_to=("aks.request_refused", "aso.not_ready", "aso.request_refused"),
    ask="az fleet member list -g {resource_group} --fleet-name <fleet> -o table",
)
