from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The identity of a program lacks a data role or claim on an Azure service (Storage, Service Bus; 403)",
    severity=Severity.ERROR,
    categories=(
        Category.IDENTITY,
        Category.WORKLOAD,
    ),
    detect=(
        Signature(
            pattern=r"\bUserErrorExtensionMSIMissingPermissionsOnBackupStorageLocation\b|\bUserErrorBackupStorageLocationNotReady\b|claims required for this operation|AuthorizationPermissionMismatch|not authorized to perform this operation using this permission|claim\(s\) are required to perform this operation|InsufficientPermissions?\b.{0,80}?(?:servicebus|eventhub|storage)|Authorization failed for specified action: |Unauthorized access\. .{0,80}?claim|does not have (?:the )?(?:required )?(?:permission|RBAC permissions?) to perform action .{0,40}?Microsoft\.DocumentDB|Request blocked by Auth",
            says="an Azure service denies a program its data",
            sample="Azure.RequestFailedException: This request is not authorized to perform this operation using this permission. Status: 403 ErrorCode: AuthorizationPermissionMismatch",
            near_miss="ErrorCode: AuthorizationFailure",
            weight=TYPICAL,
            common=True,
        ),
    ),
    why="Owner or Contributor on the resource does not allow reading its data: that needs a data role (Storage Blob Data Contributor, Azure Service Bus Data Receiver) on the identity that the pod uses, or a shared access policy with the claim (Listen, Send, Manage). New role assignments take some minutes.",
    remedy=(
        Step(
            "See the roles of the identity at that resource.",
            run=(
                "az",
                "role",
                "assignment",
                "list",
                "--assignee",
                "<identity>",
                "--all",
                "-o",
                "table",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Give it the data role that it needs.",
            run=(
                "az",
                "role",
                "assignment",
                "create",
                "--assignee",
                "<identity>",
                "--role",
                "<data-role>",
                "--scope",
                "<resource>",
            ),
            risk=Risk.SAFE,
            verify="the call succeeds some minutes later",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/storage/blobs/authorize-access-azure-active-directory",
    ),
    leads_to=("kubernetes.program_fails", "kubernetes.backup_failed", "aks.keda_scaler_fails"),
    ask="kubectl logs {pod} -n {namespace} --all-containers --previous",
    vague=True,
)
