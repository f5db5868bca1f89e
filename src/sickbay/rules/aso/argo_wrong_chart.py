from sickbay.model.aso import ArgoApplication
from sickbay.model.snapshot import Snapshot
from sickbay.rulekit import Category, Clear, Match, Risk, Rule, Severity, Step, each

_REPOSITORY = "github.com/azure/azure-service-operator"
_CHARTS = "https://raw.githubusercontent.com/Azure/azure-service-operator/main/v2/charts"


@each(ArgoApplication)
def installs_from_the_repository(app: ArgoApplication, snapshot: Snapshot) -> Match | Clear | None:  # noqa: ARG001
    for source in app.sources:
        url = source.repo_url or ""
        if _REPOSITORY in url.casefold() and "charts" in (source.path or ""):
            return Match(
                f"application {app.name} takes {source.path} from {url}",
                facts={"path": source.path or ""},
                cites=(app.cite("spec.source.repoURL", url),),
            )
    return Clear(f"application {app.name} does not take ASO from its repository")


RULE = Rule(
    title="Argo CD installs ASO from the folder of its git repository, which is no complete chart",
    severity=Severity.ERROR,
    categories=(Category.CREATION,),
    detect=(installs_from_the_repository,),
    why="The folder v2/charts of the repository lacks the templates that a release generates, such as the ClusterRoles and the CRD settings. An installation from there comes up without rights, and its controller fails.",
    remedy=(
        Step(
            f"Set repoURL to {_CHARTS}, chart to azure-service-operator and targetRevision to a release, and remove {{path}}."
        ),
        Step(
            "See that the role exists afterwards.",
            run=(
                "kubectl",
                "get",
                "clusterroles",
                "-l",
                "app.kubernetes.io/name=azure-service-operator",
            ),
            risk=Risk.READ,
        ),
    ),
    docs=("https://azure.github.io/azure-service-operator/guide/frequently-asked-questions/",),
    leads_to=("aso.crds_not_applied", "aso.controller_not_acting"),
)
