from sickbay.rulekit import SYMPTOM, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A step of the deployment or update of Azure Local failed; the exception in it names the cause",
    severity=Severity.ERROR,
    categories=(Category.UPGRADE, Category.CREATION),
    detect=(
        Signature(
            pattern=r"Type '(?P<step>\w+)' of Role '(?P<part>\w+)' raised an exception:? ?(?P<error>.{0,200})|\bALM was unable to converge on\b|Action plan (?P<plan>\w+) ID \S{1,40} failed with state: Failed",
            says="[step {step} of {part} failed][: {error}][the action plan {plan} failed]",
            sample="Type 'ShouldUpdateMocPreSSU' of Role 'UpdateBootstrap' raised an exception: Unable to locate MOC staging helper script for disconnected cluster.",
            near_miss="Type 'ShouldUpdateMocPreSSU' of Role 'UpdateBootstrap' completed",
            weight=SYMPTOM,
        ),
    ),
    why="The orchestrator of Azure Local (ECE) runs a deployment or an update as steps of roles: MocArb brings MOC and the Arc resource bridge, Cluster the failover cluster, UpdateBootstrap the update itself. It prints the exception of the step that failed, and resumes there when the update is started again.",
    remedy=(
        Step(
            "Read the whole exception and the state of the update.",
            run=("powershell", "-Command", "Get-SolutionUpdate | Get-SolutionUpdateRun"),
            risk=Risk.READ,
        ),
        Step(
            "Look the step up in the known issues of the release, repair what the exception names."
        ),
        Step(
            "Resume the update.",
            run=("powershell", "-Command", "Get-SolutionUpdate | Start-SolutionUpdate"),
            risk=Risk.DISRUPTIVE,
            verify="Get-SolutionUpdate wants State Installed",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/azure-local/update/update-troubleshooting-23h2",
        "https://github.com/Azure/AzureLocal-Supportability",
    ),
    ask="powershell -Command Get-SolutionUpdate | Get-SolutionUpdateRun",
    leads_to=("hybrid.instance_failed",),
    wraps=True,
)
