from sickbay.rulekit import SYMPTOM, TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="Azure refused the request as it stands; its message says what is wrong with it",
    severity=Severity.ERROR,
    categories=(
        Category.CREATION,
        Category.UPGRADE,
        Category.SCALING,
    ),
    detect=(
        Signature(
            pattern=r"(?i)Operation failed with status: '?(?:Bad Request|Conflict|Forbidden)'?\. Details: (?P<reason>.{1,300})|Operation returned an invalid status (?:code )?'(?:Bad ?Request|Conflict)'",
            says="the request was refused[: {reason}]",
            sample="Operation failed with status: 'Bad Request'. Details: The teapot is not in the mood.",
            near_miss="Operation succeeded with status: 'OK'. Details: none",
            unless=r"(?i)failed (?:provisioning )?state|Provisioning State\(",
            weight=TYPICAL,
        ),
        Signature(
            pattern=r"^\(?(?:BadRequest|InvalidRequest|OperationNotAllowed|Forbidden|ValidationError|InvalidArgument|InvalidProperty|NotSupported)\)?:? (?P<reason>.{0,300}?(?i:\bagent ?pool|\bnode ?pool|managed ?cluster|\bAKS\b|kubernetes|aka\.ms/aks|system pool).{0,200})",
            says="the request was refused: {reason}",
            sample="BadRequest: The teapot of the managed cluster is not in the mood.",
            near_miss="OK: The teapot is in the mood.",
            unless=r"(?i)failed (?:provisioning )?state|Provisioning State\(|failed in upgrade|ServicePrincipalProfile|webhook|quota|/var/lib/kubelet|\bMC_|resource ?bridge|arc-?enabled|connectedClusters",
            weight=TYPICAL,
        ),
        Signature(
            pattern=r"containerservice\.(?:ManagedClusters|AgentPools)Client#\w+: Failure \w+ (?:to )?request: StatusCode=(?:0|4\d\d) -- Original Error: (?:autorest/azure: Service returned an error\. Status=\S{1,8} )?Code=\"(?P<code>\w+)\" Message=\"(?P<reason>[^\"]{1,300})",
            says="the request was refused ({code}): {reason}",
            sample='Error: creating Managed Kubernetes Cluster "shop": containerservice.ManagedClustersClient#CreateOrUpdate: Failure sending request: StatusCode=400 -- Original Error: Code="TeapotRefused" Message="The teapot is not in the mood."',
            near_miss="containerservice.ManagedClustersClient#CreateOrUpdate: the cluster was created",
            weight=TYPICAL,
            unless=r"(?i)Code=\"\w*(?:Failed|Failure|Timeout|TimedOut|Conflict|Extension\w*|Internal\w*|NotReady|NotFound|Drain\w*)\"|failed (?:provisioning )?state|Provisioning State\(|failed in upgrade",
        ),
        # What az prints of any answer: the code and the message, and both once more.
        Signature(
            pattern=r"^\((?P<code>[A-Z]\w{4,80})\) (?P<reason>.+?) Code: [A-Z]\w+ Message: |^(?:(?:ERROR|Error): )?\((?P<brief>BadRequest|InvalidRequest|OperationNotAllowed|ValidationError|InvalidArgument)\) (?P<message>.{8,300})",
            says="the request was refused[ ({code})][: {reason}][ ({brief})][: {message}]",
            sample="(TeapotRefused) The teapot is not in the mood. Code: TeapotRefused Message: The teapot is not in the mood.",
            near_miss="(TeapotReady) The teapot is in the mood.",
            weight=TYPICAL,
            unless=r"(?i)^(?:ERROR: )?\(\w*(?:Failed|Failure|Timeout|TimedOut|Conflict|Extension\w*|Internal\w*|NotReady|NotFound|Drain\w*|Unavailable)\)|failed (?:provisioning )?state|Provisioning State\(|failed in upgrade|appliance|resource ?bridge|\barc\b|connected ?k8s|connectedClusters|networkcloud|fabric|nexus|custom ?location|KubernetesConfiguration|hybrid|stack ?hci|moc-operator",
        ),
        Signature(
            pattern=r"unexpected status 4\d\d \([^)]{0,60}\) with error: (?P<code>[A-Z]\w{3,80}): (?P<reason>.{1,300})|the Azure API returned the following error: .{0,20}?Status: \"?(?P<status>\w+)\"? .{0,5}?Code: \"(?P<inner>\w*)\" .{0,5}?Message: \"(?P<message>[^\"]{1,300})|Status Message: (?P<told>.{8,300}?) \(Code: ?(?P<last>\w+)\)|\w+\.\w+Client#\w+: Failure \w+ (?:to )?request: StatusCode=4\d\d -- Original Error: (?:autorest/azure: Service returned an error\. Status=\S{1,8} )?Code=\"(?P<old>\w+)\" Message=\"(?P<text>[^\"]{1,300})",
            says="Azure refused a request",
            sample='Error: creating Subnet (Subscription: "s" Resource Group Name: "rg"): performing CreateOrUpdate: unexpected status 400 (400 Bad Request) with error: TeapotRefused: The teapot is not in the mood.',
            near_miss="performing CreateOrUpdate: the cluster was created",
            # These are failed operations of the cluster, and have a rule of their own.
            unless=r"Kubernetes Cluster|ManagedClusters|Agent ?Pool|Node Pool",
            weight=SYMPTOM,
        ),
    ),
    why="Before anything is done, AKS, or the resource provider that was asked, checks the request against the cluster, the version and the region. `BadRequest`, `OperationNotAllowed` and their like say only that it did not pass; the message names the property and the rule. Nothing was changed.",
    remedy=(
        Step("Read the message: it names the property that is refused and what is allowed."),
        Step(
            "Compare it with what the cluster has now.",
            run=(
                "az",
                "aks",
                "show",
                "-g",
                "{resource_group}",
                "-n",
                "{cluster}",
                "-o",
                "json",
            ),
            risk=Risk.READ,
        ),
        Step("Correct the command or template, and send it again."),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/error-codes/aks-error-code-page",
    ),
    leads_to=("aks.operation_failed",),
    ask="az aks show -g {resource_group} -n {cluster} -o json",
    wraps=True,
)
