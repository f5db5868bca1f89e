from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="Another operation on the cluster or pool is still in progress",
    severity=Severity.WARNING,
    categories=(Category.CREATION, Category.UPGRADE, Category.SCALING),
    detect=(
        Signature(
            pattern=r"(?i)\bDeploymentActive(?:AndUneditable)?\b|\bObjectIsBeingDeleted\b|another (?:\w+ )?operation(?: \([^)/]{0,80}\))? is (?:already )?in progress|operation is not allowed: another\b|mutually exclusive operations\. .{0,40}?aks-pending|aka\.ms/aks-pending-upgrade|\bAnotherOperationInProgress\b|\bEtagMismatch\b|\bConcurrent\w*OperationNotAllowed\b|Provisioning State\((?:Updating|Upgrading|Scaling|Creating|Deleting|Starting|Stopping|Migrating)\)|(?:cluster|agent ?pool|container service) \S{0,80} ?is in \(?(?:Updating|Upgrading|Scaling|Creating|Deleting|Starting|Stopping)\)? (?:provisioning )?state|existing agent pool in non.terminal state|since deletion was issued on|marked for deletion\. You can only retry the Delete operation|aka\.ms/aks-pending-operation|there(?:'s| is) (?:already )?an? (?:in.?progress|pending|ongoing) (?:[\w.-]+ ){0,5}operation|an existing in.?progress (?:[\w.-]+ ){0,3}operation|\bConflictingOperation\w*|(?:run command|extension) (?:extension )?execution is in progress",
            says="another operation is in progress",
            sample="Operation is not allowed: Another operation (Upgrading) is in progress, please wait for it to finish before starting a new operation. See https://aka.ms/aks-pending-operation for more details",
            near_miss="Operation accepted: no operation is in progress on managed cluster shop",
            passes=True,
            # Argo CD says the same of its applications.
            unless=r"^another operation is already in progress\W*$|FailedPrecondition",
        ),
    ),
    why="AKS runs one operation at a time on a cluster and on each pool, and refuses the next as a conflict (409, `OperationNotAllowed`, `EtagMismatch`, `AnotherOperationInProgress`) until it has ended; a retry then succeeds. A deletion that has begun cannot be overtaken by anything.",
    remedy=(
        Step(
            "See which operation is running and since when.",
            run=(
                "az",
                "aks",
                "operation",
                "show-latest",
                "-g",
                "{resource_group}",
                "-n",
                "{cluster}",
                "-o",
                "json",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Wait for it to end; an upgrade or update that hangs can be aborted.",
            run=("az", "aks", "operation-abort", "-g", "{resource_group}", "-n", "{cluster}"),
            risk=Risk.DISRUPTIVE,
            verify="az aks show -g {resource_group} -n {cluster} --query provisioningState wants Succeeded or Canceled",
        ),
        Step("Repeat the operation that failed."),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/create-upgrade-delete/operationnotallowed",
    ),
    leads_to=("aks.operation_failed",),
    ask="az aks show -g {resource_group} -n {cluster} --query provisioningState",
)
