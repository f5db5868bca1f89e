from sickbay.model.arc import ClusterExtension
from sickbay.model.snapshot import Snapshot
from sickbay.rulekit import (
    SYMPTOM,
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


@each(ClusterExtension, SYMPTOM)
def has_failed(extension: ClusterExtension, snapshot: Snapshot) -> Match | Clear | None:  # noqa: ARG001
    if (extension.provisioning_state or "").casefold() != "failed":
        return Clear(f"{extension.name} is {extension.provisioning_state or 'of unknown state'}")
    errors = [s.message or "" for s in extension.statuses or () if s.level == "Error"]
    reason = next(filter(None, errors), "") or (
        (extension.error_info and extension.error_info.message) or ""
    )
    return Match(
        f"{extension.name} is Failed" + (f": {reason[:160]}" if reason else ""),
        cites=(extension.cite("properties.provisioningState", extension.provisioning_state),),
    )


RULE = Rule(
    title="A cluster extension failed: its Helm chart could not be installed",
    severity=Severity.ERROR,
    categories=(
        Category.CREATION,
        Category.WORKLOAD,
    ),
    detect=(
        has_failed,
        Signature(
            pattern=r"\bExtension(?:Creation|Update|Installation|Operation)Failed\b|(?i:Unable to get the status from the local CRD)|(?i:failed to install chart from path|the extension operation failed with the following error|\bHelm (?:installation|upgrade) failed :|Error occurred while creating custom resources needed by system extensions)",
            says="an extension could not be installed",
            sample="ExtensionCreationFailed: error: Unable to get the status from the local CRD with the error : {Error : Retry for given duration didn't get any results with err {status not populated}}",
            near_miss="ExtensionCreationSucceeded: the extension is installed",
            weight=SYMPTOM,
        ),
        Signature(
            pattern=r"(?i)'Microsoft\.Flux' extension is installed but not in a succeeded state",
            says="the Flux extension is not ready",
            sample="Error! 'Microsoft.Flux' extension is installed but not in a succeeded state on the cluster. Unable to proceed with Flux v2 configuration install.",
            near_miss="'Microsoft.Flux' extension was successfully installed",
            weight=SYMPTOM,
        ),
    ),
    why="The extension manager could not install or update the extension; the statuses of the extension (level Error) and its errorInfo carry the reason that Helm or the cluster gave. Without a word from them the agents themselves are held up, for instance by pod identity that intercepts their token requests.",
    remedy=(
        Step(
            "Read the statuses.",
            run=(
                "az",
                "k8s-extension",
                "show",
                "-g",
                "{resource_group}",
                "-c",
                "{cluster}",
                "-t",
                "<cluster-type>",
                "-n",
                "{name}",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Mend the reason they give, then update or recreate the extension.",
            run=(
                "az",
                "k8s-extension",
                "delete",
                "-g",
                "{resource_group}",
                "-c",
                "{cluster}",
                "-t",
                "<cluster-type>",
                "-n",
                "{name}",
                "--force",
            ),
            risk=Risk.DESTRUCTIVE,
        ),
    ),
    docs=("https://learn.microsoft.com/azure/azure-arc/kubernetes/extensions-troubleshooting",),
    leads_to=("aks.operation_failed", "arc.custom_location_refused", "arc.custom_location_failed"),
    wraps=True,
)
