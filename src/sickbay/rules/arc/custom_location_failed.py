from sickbay.model.arc import CustomLocation
from sickbay.model.snapshot import Snapshot
from sickbay.rulekit import SYMPTOM, Category, Clear, Match, Risk, Rule, Severity, Step, each


@each(CustomLocation, SYMPTOM)
def is_failed(location: CustomLocation, snapshot: Snapshot) -> Match | Clear | None:  # noqa: ARG001
    if not location.is_unwell:
        return Clear(f"{location.name} is {location.provisioning_state or 'of unknown state'}")
    return Match(
        f"custom location {location.name} is {location.provisioning_state}",
        cites=(location.cite("properties.provisioningState", location.provisioning_state),),
    )


RULE = Rule(
    title="A custom location is Failed, so nothing can be created at it",
    severity=Severity.ERROR,
    categories=(Category.CREATION,),
    detect=(is_failed,),
    why="A custom location is a namespace of its host cluster and a set of extensions. It fails when the feature is not enabled there, when one of the extensions is not installed, when the namespace belongs to another custom location, or when the host is not connected.",
    remedy=(
        Step(
            "Read the error that Azure kept of the last operation.",
            run=(
                "az",
                "monitor",
                "activity-log",
                "list",
                "--resource-id",
                "{subject}",
                "--query",
                "[].properties.statusMessage",
                "-o",
                "tsv",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Mend what it names, delete the custom location, and create it again.",
            run=("az", "customlocation", "delete", "-g", "{resource_group}", "-n", "{name}"),
            risk=Risk.DESTRUCTIVE,
            verify="az customlocation show -g {resource_group} -n {name} --query provisioningState wants Succeeded",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/azure-arc/kubernetes/custom-locations",),
)
