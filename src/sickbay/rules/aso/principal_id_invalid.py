from sickbay.model.aso import AsoObject
from sickbay.model.aso_spec import is_guid
from sickbay.model.snapshot import Snapshot
from sickbay.rulekit import Category, Clear, Match, Risk, Rule, Severity, Signature, Step, each


@each(AsoObject)
def principal_is_no_guid(thing: AsoObject, snapshot: Snapshot) -> Match | Clear | None:  # noqa: ARG001
    principal = thing.wanted.get("principalId")
    if thing.object_kind != "RoleAssignment" or not isinstance(principal, str):
        return None
    if is_guid(principal):
        return Clear(f"principalId of {thing.name} is a GUID")
    return Match(
        f"principalId of role assignment {thing.name} is {principal}, which is no GUID",
        facts={"principal": principal},
        cites=(thing.cite("spec.principalId", principal),),
    )


RULE = Rule(
    title="The principal id of a role assignment is not a GUID (InvalidPrincipalId)",
    severity=Severity.ERROR,
    categories=(
        Category.IDENTITY,
        Category.CREATION,
    ),
    detect=(
        principal_is_no_guid,
        Signature(
            pattern=r"\bInvalidPrincipalId\b(?:.{0,40}?'(?P<principal>[^']{1,200})' is not valid)?|The Principal ID '(?P<other>[^']{1,200})' is not valid",
            says="{principal} is no principal id",
            sample="InvalidPrincipalId: The Principal ID 'wow' is not valid. Principal ID must be a GUID.",
            near_miss="The Principal ID '5d7f0f1b-0000-0000-0000-000000000000' is valid.",
        ),
    ),
    why="principalId must be the object id of a user, group or service principal, which is a GUID. A name, a client id in other form or an unfilled placeholder is refused.",
    remedy=(
        Step(
            "Find the object id of the principal.",
            run=(
                "az",
                "ad",
                "sp",
                "list",
                "--display-name",
                "{principal}",
                "--query",
                "[].id",
                "-o",
                "tsv",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Put the object id into principalId, or use principalIdFromConfig with the config map that the identity exports.",
            risk=Risk.SAFE,
            verify="kubectl get azure -n {namespace} wants READY True",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/role-based-access-control/troubleshooting",),
    leads_to=("aso.not_ready",),
    ask="az ad sp list --display-name {principal} --query [].id -o tsv",
)
