from sickbay.rulekit import SYMPTOM, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="Azure refused the request; the code and message of its answer name the cause",
    severity=Severity.ERROR,
    categories=(Category.CREATION,),
    detect=(
        Signature(
            pattern=r"RESPONSE (?P<status>[45]\d\d): .{0,80}?ERROR CODE: (?P<code>[A-Za-z][\w .]{0,80}?) ?-{3,}",
            says="Azure answered {status} with the code {code}",
            sample='PUT https://management.azure.com/subscriptions/0/resourceGroups/rg1/providers/Microsoft.Cache/redis/r1 -------- RESPONSE 418: 418 I am a teapot ERROR CODE: TeapotRefused -------- { "error": { "code": "TeapotRefused", "message": "The teapot is not in the mood." } }',
            near_miss="RESPONSE 200: 200 OK --------------------",
            weight=SYMPTOM,
        ),
    ),
    why="Azure Resource Manager answered with an error, and the caller (ASO or another client) prints the answer as it came: the status, the error code (BadRequest, NotFound, Conflict, InvalidParameter, OperationNotAllowed, ServiceUnavailable and so on), and the body. Clients only carry it; the same request would fail in the same way from the portal or from az.",
    remedy=(
        Step("Read the message of the innermost error: it says what Azure wants."),
        Step(
            "Look the resource up in the activity log, which has the whole answer and the correlation id.",
            run=(
                "az",
                "monitor",
                "activity-log",
                "list",
                "--resource-group",
                "{resource_group}",
                "--status",
                "Failed",
                "--offset",
                "1d",
                "-o",
                "table",
            ),
            risk=Risk.READ,
        ),
        Step(
            "If the answer is a server error (5xx) that stays, contact the product group with the whole text, the UTC time and the resource id."
        ),
    ),
    docs=(
        "https://azure.github.io/azure-service-operator/guide/diagnosing-problems/reconciliation-failures/",
        "https://learn.microsoft.com/azure/azure-resource-manager/troubleshooting/common-deployment-errors",
    ),
    leads_to=("aso.not_ready",),
    ask="az monitor activity-log list --resource-group {resource_group} --status Failed --offset 1d -o table",
)
