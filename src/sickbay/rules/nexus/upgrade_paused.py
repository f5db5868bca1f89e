from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The runtime upgrade of a Nexus cluster is paused: machines of a rack or of the control plane are unhealthy",
    severity=Severity.ERROR,
    categories=(Category.UPGRADE, Category.NODES),
    detect=(
        Signature(
            pattern=r"(?i)the upgrade has been paused\b(?:.{0,20}?Machines in rack \W{0,3}(?P<rack>[\w.-]+))?",
            says="the upgrade is paused at {rack}",
            sample='Cluster is deployed but the upgrade has been paused. Machines in rack "site1-rack3" are unhealthy. Fix the machines and perform cluster continue-update-version action to finish the upgrade',
            near_miss="Cluster is deployed and the upgrade has been completed.",
        ),
        Signature(
            pattern=r"(?i)\b(?:runtime|cluster|rack)\b.{0,40}?\bupgrade\b.{0,160}?(?:threshold (?:is |was )?(?:not|un)? ?(?:met|reached)|(?:did not|does not|didn't|failed to|not) (?:meet|reach)\b.{0,40}?threshold|below (?:the )?threshold|(?:machines?|BMMs?|servers?|nodes?) (?:in |of )?(?:rack \S{1,40} )?(?:are|is|did|failed|were) (?:unhealthy|not (?:ready|healthy|upgrade\w*)|to (?:upgrade|become)))(?P<rack>)",
            says="too few machines of a rack came up",
            sample="Cluster runtime upgrade failed: rack r2 did not meet threshold: 60% of compute machines upgraded, required 80%",
            near_miss="Cluster runtime upgrade done: rack r2 met its threshold",
            weight=TYPICAL,
        ),
        Signature(
            pattern=r"(?i:\bdetailed ?Status\W{1,6}UpdateFailed\b)|(?i:\bCluster (?:runtime )?update failed)(?P<rack>)",
            says="the update of the site failed",
            sample="site1 UpdateFailed Cluster update failed: control plane node rack1control02 did not become ready",
            near_miss="site1 Updating Cluster update in progress",
            weight=TYPICAL,
        ),
        Signature(
            pattern=r"(?i)\bupgrade\b.{0,80}?\bpaused\b.{0,160}?(?:unhealthy|not (?:healthy|ready)|failed)\b|\b(?:unhealthy|not ready|failed) machines?\b.{0,120}?\bupgrade\b.{0,40}?\bpaused(?P<rack>)",
            says="the upgrade is paused",
            sample="Runtime upgrade of cluster paused. Machines in rack r3 unhealthy, waiting for continue-update-version",
            near_miss="Runtime upgrade of cluster continues. Machines in rack r3 healthy",
            weight=TYPICAL,
        ),
    ),
    why="A runtime upgrade goes through the control plane, the management groups and then rack by rack, and stops where fewer machines came back than the update strategy wants. It does not go on by itself, even when the machines recover.",
    remedy=(
        Step(
            "Find the machines that are not Provisioned and ready.",
            run=("az", "networkcloud", "baremetalmachine", "list", "-o", "table"),
            risk=Risk.READ,
        ),
        Step(
            "Repair or replace them; for the control plane, wait until its automatic remediation has ended.",
        ),
        Step(
            "Let the upgrade go on.",
            run=(
                "az",
                "networkcloud",
                "cluster",
                "continue-update-version",
                "-g",
                "{resource_group}",
                "--cluster-name",
                "{cluster}",
            ),
            risk=Risk.DISRUPTIVE,
            verify="az networkcloud cluster show wants detailedStatus Running",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/operator-nexus/howto-cluster-runtime-upgrade",),
    leads_to=("nexus.cluster_failed", "nexus.upgrade_waits"),
    ask="az networkcloud baremetalmachine list -o table",
)
