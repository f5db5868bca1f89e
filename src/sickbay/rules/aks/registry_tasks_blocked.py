from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="ACR Tasks are not permitted for this subscription, so images cannot be built in the registry",
    severity=Severity.ERROR,
    categories=(Category.CREATION,),
    detect=(
        Signature(
            pattern=r"\bTasksOperationsNotAllowed\b|(?i:ACR Tasks requests for the registry .{0,120}? are not permitted)",
            says="the registry may not run tasks",
            sample="(TasksOperationsNotAllowed) ACR Tasks requests for the registry shopacr and 0a1b are not permitted. Please file an Azure support request at http://aka.ms/azuresupport for assistance.",
            near_miss="Queued a build with ID: ca1",
        ),
    ),
    why="Azure has switched off ACR Tasks (`az acr build`, `az acr run`) for subscriptions on free credits. Pulls and pushes are not touched.",
    remedy=(
        Step(
            "Build on your own machine or agent, and push.",
            run=("az", "acr", "login", "-n", "<registry>"),
            risk=Risk.SAFE,
        ),
        Step(
            "Or move the registry to a subscription that pays, or ask the support of Azure to permit it."
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/container-registry/container-registry-tasks-overview",
    ),
    ask="az acr show -n <registry> -o json",
)
