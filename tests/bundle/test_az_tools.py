"""Every tool wraps Azure's errors in its own way; the diagnosis is that of the innermost one."""

import json

import pytest

from sickbay.app import Settings, explain_with
from sickbay.store import Rules

SAID = (
    "Operation could not be completed as it results in exceeding approved Total Regional Cores "
    "quota. Additional details - Deployment Model: Resource Manager, Location: westus, Current "
    "Limit: 10, Current Usage: 10, Additional Required: 2, (Minimum) New Limit Required: 12."
)
QUOTA = {"code": "QuotaExceeded", "message": SAID}
GROUP = "/subscriptions/11111111-1111-1111-1111-111111111111/resourceGroups/rg1"
CLUSTER = f"{GROUP}/providers/Microsoft.ContainerService/managedClusters/aks1"
WRAPPED = {
    "code": "ResourceDeploymentFailure",
    "target": CLUSTER,
    "message": "The resource write operation failed to complete successfully.",
    "details": [QUOTA],
}
DEPLOYMENT = {
    "status": "Failed",
    "error": {
        "code": "DeploymentFailed",
        "target": f"{GROUP}/providers/Microsoft.Resources/deployments/main",
        "message": "At least one resource deployment operation failed.",
        "details": [WRAPPED],
    },
}
INVALID = {
    "code": "InvalidTemplateDeployment",
    "message": "The template deployment 'main' is not valid. See inner errors for details.",
}
FORMS = {
    "az": f"ERROR: (QuotaExceeded) {SAID}\nCode: QuotaExceeded\nMessage: {SAID}",
    "az deployment": f"ERROR: {json.dumps(DEPLOYMENT)}",
    "bicep": f"ERROR: {json.dumps(INVALID)}\n\nInner Errors: \n{json.dumps(QUOTA)}",
    "json in json": "ERROR: "
    + json.dumps({"code": "DeploymentFailed", "details": [{"message": json.dumps(QUOTA)}]}),
    "terraform": f"""\
\u2577
\u2502 Error: creating Kubernetes Cluster (Subscription: "11111111-1111-1111-1111-111111111111"
\u2502 Resource Group Name: "rg1"
\u2502 Kubernetes Cluster Name: "aks1"): performing CreateOrUpdate: unexpected status 400 (400 Bad Request) with error: QuotaExceeded: {SAID}
\u2502
\u2502   with azurerm_kubernetes_cluster.main,
\u2575""",  # noqa: E501
    "terraform polling": "Error: waiting for creation of Managed Kubernetes Cluster "
    f'"aks1" (Resource Group "rg1"): Code="QuotaExceeded" Message="{SAID}"',
    "powershell": "New-AzResourceGroupDeployment: 10:03:22 AM - The deployment 'main' failed with "
    f"error(s). Showing 1 out of 1 error(s).\nStatus Message: {SAID} (Code:QuotaExceeded)\n"
    "CorrelationId: 22222222-1111-1111-1111-111111111111",
    "old powershell": "New-AzResourceGroupDeployment : 10:03:22 AM - Resource "
    "Microsoft.ContainerService/managedClusters 'aks1' failed with message "
    f"'{json.dumps(DEPLOYMENT, indent=2)}'\nAt line:1 char:1\n+ New-AzResourceGroupDeployment",
    "status code": f"New-AzAksCluster : {SAID}\nStatusCode: 409\nReasonPhrase: Conflict\n"
    f"ErrorCode: QuotaExceeded\nErrorMessage: {SAID}",
    "go": f"PUT https://management.azure.com{CLUSTER}\n{'-' * 80}\nRESPONSE 400: 400 Bad Request\n"
    f"ERROR CODE: QuotaExceeded\n{'-' * 80}\n{json.dumps({'error': QUOTA}, indent=2)}\n{'-' * 80}",
    "autorest": "containerservice.ManagedClustersClient#CreateOrUpdate: Failure sending request: "
    f'StatusCode=400 -- Original Error: Code="QuotaExceeded" Message="{SAID}"',
    "pulumi": "  azure-native:containerservice:ManagedCluster (aks1):\n    error: autorest/azure: "
    f'Service returned an error. Status=400 Code="QuotaExceeded" Message="{SAID}"',
    "crossplane": "Warning  CannotCreateExternalResource  3m (x5 over 9m)  managed/x  async create "
    "failed: failed to create the resource: [{0 performing CreateOrUpdate: unexpected status 400 "
    f"with error: QuotaExceeded: {SAID}  []}}]",
}


@pytest.mark.parametrize("form", FORMS)
def test_the_cause_is_found_in_what_each_tool_prints(form: str, rules: Rules) -> None:
    diagnosis = explain_with(rules, FORMS[form].encode(), "pasted", Settings())
    assert [cause.rule for cause in diagnosis.causes] == ["aks.regional_quota_exceeded"]


def test_what_carried_the_cause_is_the_path_to_it(rules: Rules) -> None:
    diagnosis = explain_with(rules, FORMS["az deployment"].encode(), "pasted", Settings())
    assert diagnosis.causes[0].carriers == ("DeploymentFailed", "ResourceDeploymentFailure")
