from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A run of Pulumi was interrupted: its state holds pending operations whose outcome nobody knows",
    severity=Severity.ERROR,
    categories=(Category.CREATION,),
    detect=(
        Signature(
            pattern=r"(?i)the current deployment has (?P<count>\d+) resource\(s\) with pending operations",
            says="{count} operations are pending",
            sample="error: the current deployment has 1 resource(s) with pending operations: * urn:pulumi:dev::shop::azure-native:containerservice:ManagedCluster::aks, interrupted while creating",
            near_miss="the current deployment has no resource(s) with pending operations",
        ),
    ),
    why="Pulumi notes each operation before it sends it. A run that was killed, lost its connection or its token between the two leaves the note: the cluster may have been made in Azure and be missing in the state, where a second run would make it again or find that it exists.",
    remedy=(
        Step(
            "Look in Azure whether the resource exists.",
            run=("az", "resource", "list", "-g", "<group>", "-o", "table"),
            risk=Risk.READ,
        ),
        Step(
            "Run `pulumi refresh`, which asks for each pending creation whether to import it or to forget it; then `pulumi up`.",
            verify="pulumi preview shows no pending operations",
        ),
    ),
    docs=("https://www.pulumi.com/docs/iac/support/troubleshooting/",),
)
