from sickbay.model.aks import ManagedCluster
from sickbay.model.azure import Workspace
from sickbay.model.ids import arm
from sickbay.model.snapshot import Snapshot
from sickbay.rulekit import (
    Category,
    Clear,
    Match,
    Risk,
    Rule,
    Severity,
    Signature,
    Step,
    each,
)


@each(ManagedCluster)
def workspace_is_gone(cluster: ManagedCluster, snapshot: Snapshot) -> Match | Clear | None:
    addon = (cluster.addon_profiles or {}).get("omsagent")
    if addon is None or not addon.enabled:
        return None
    id = addon.setting("logAnalyticsWorkspaceResourceID")
    if not id:
        return None
    if snapshot.get(arm(id), Workspace) is not None:
        return Clear(f"the workspace {arm(id).name} exists")
    return Match(
        f"the monitoring add-on of {cluster.name} writes to {id}, which does not exist",
        facts={"workspace": id},
        cites=(
            cluster.cite(
                "properties.addonProfiles.omsagent.config.logAnalyticsWorkspaceResourceID", id
            ),
        ),
    )


RULE = Rule(
    title="The Log Analytics workspace of the monitoring add-on is gone",
    severity=Severity.ERROR,
    categories=(Category.UPGRADE, Category.SCALING),
    detect=(
        workspace_is_gone,
        Signature(
            pattern=r"(?i)\bLogAnalyticsWorkspace(?:NotSet|NotFound|KeyAccessDenied)\w*|\bGetLogAnalyticsWorkspaceError\b|(?:could not|cannot|failed to) (?:find|get) (?:the )?log analytics workspace|log analytics workspace\b.{0,250}?(?:not found|does not exist|was deleted)|unable to (?:get|retrieve) log analytics workspace(?: info)?(?:.*?Resource ID: ?(?P<workspace>/subscriptions/\S+?)\.? )?|operationalinsights\.WorkspacesClient#Get\w*: .{0,120}?StatusCode=404",
            says="the Log Analytics workspace of the add-on was not found",
            sample="Error: Unable to get log analytics workspace info. Resource ID: /subscriptions/s/resourcegroups/defaultresourcegroup-weu/providers/microsoft.operationalinsights/workspaces/defaultworkspace-1-weu. Detail: operationalinsights.WorkspacesClient#GetSharedKeys: Failure responding to request: StatusCode=404",
            near_miss="Got log analytics workspace info. Resource ID: /subscriptions/s/resourcegroups/rg/providers/microsoft.operationalinsights/workspaces/w",
        ),
    ),
    why="Every update of the cluster reads the Log Analytics workspace of the monitoring add-on. The workspace or its resource group was deleted while the add-on is still enabled, so the update stops.",
    remedy=(
        Step(
            "See which workspace the add-on names.",
            run=(
                "az",
                "aks",
                "show",
                "-g",
                "{resource_group}",
                "-n",
                "{cluster}",
                "--query",
                "addonProfiles.omsagent.config",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Recover the workspace if it was deleted within the last 14 days.",
            run=(
                "az",
                "monitor",
                "log-analytics",
                "workspace",
                "recover",
                "-g",
                "<group>",
                "-n",
                "<workspace>",
            ),
            risk=Risk.SAFE,
        ),
        Step(
            "Or give up this workspace: disable the add-on (and enable it again with another one).",
            run=(
                "az",
                "aks",
                "disable-addons",
                "-g",
                "{resource_group}",
                "-n",
                "{cluster}",
                "-a",
                "monitoring",
            ),
            risk=Risk.DISRUPTIVE,
            verify="az aks show -g {resource_group} -n {cluster} --query provisioningState wants Succeeded",
        ),
        Step("Repeat the operation that failed."),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/create-upgrade-delete/aks-upgrade-scale-fail-log-analytics-workspace-missing",
    ),
    leads_to=("aks.operation_failed", "aks.resource_not_found"),
)
