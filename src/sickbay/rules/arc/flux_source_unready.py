from sickbay.model.arc import FluxConfiguration
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


@each(FluxConfiguration, SYMPTOM)
def does_not_comply(configuration: FluxConfiguration, snapshot: Snapshot) -> Match | Clear | None:  # noqa: ARG001
    state = configuration.compliance_state or "of unknown compliance"
    if not configuration.is_unwell:
        return Clear(f"{configuration.name} is {state}")
    reason = configuration.error_message
    return Match(
        f"{configuration.name} is {configuration.provisioning_state}, {state}"
        + (f": {reason[:200]}" if reason else ""),
        cites=(configuration.cite("properties.complianceState", configuration.compliance_state),),
    )


RULE = Rule(
    title="A Flux configuration does not reconcile: its source or something that it depends on is not ready",
    severity=Severity.ERROR,
    categories=(
        Category.CREATION,
        Category.WORKLOAD,
    ),
    detect=(
        does_not_comply,
        Signature(
            pattern=r"(?i)Source is not ready, artifact not found|Source artifact not found|dependency '[\w./-]{1,120}' is not ready|unable to clone '[^']{3,200}'[:,]|Helm(?:Chart|Repository) '[\w./-]{1,120}' is not ready|reason\W{1,4}ArtifactFailed\b",
            says="the source has no artifact yet",
            sample="Source is not ready, artifact not found",
            near_miss="Source artifact stored",
            weight=SYMPTOM,
            passes=True,
        ),
    ),
    why="A kustomization or a release waits until its source was fetched and what it depends on is ready; the reason stands at that source: no access, a wrong branch or path, or no way to the server.",
    remedy=(
        Step(
            "See the sources.",
            run=(
                "kubectl",
                "get",
                "gitrepository,helmrepository,bucket,ocirepository",
                "-A",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Read the message of the one that is not ready, and mend it.",
            run=(
                "kubectl",
                "describe",
                "gitrepository",
                "-n",
                "<namespace>",
                "<name>",
            ),
            risk=Risk.READ,
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/azure-arc/kubernetes/tutorial-use-gitops-flux2",
        "https://learn.microsoft.com/azure/azure-arc/kubernetes/extensions-troubleshooting",
    ),
)
