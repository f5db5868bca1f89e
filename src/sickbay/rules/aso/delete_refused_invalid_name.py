from sickbay.model.aso import AsoObject
from sickbay.model.aso_spec import is_guid
from sickbay.model.snapshot import Snapshot
from sickbay.rulekit import Category, Clear, Match, Risk, Rule, Severity, Signature, Step, each


@each(AsoObject)
def name_is_no_guid(thing: AsoObject, snapshot: Snapshot) -> Match | Clear | None:  # noqa: ARG001
    if thing.object_kind != "RoleAssignment" or not thing.azure_name:
        return None
    if is_guid(thing.azure_name):
        return Clear(f"azureName of {thing.name} is a GUID")
    state = "cannot be deleted" if thing.metadata.deletion_timestamp else "cannot be created"
    return Match(
        f"role assignment {thing.name} {state}: its azureName {thing.azure_name} is no GUID",
        facts={"assignment": thing.azure_name},
        cites=(thing.cite("spec.azureName", thing.azure_name),),
    )


RULE = Rule(
    title="An object cannot be deleted: Azure does not accept its name, so it never existed there",
    severity=Severity.ERROR,
    categories=(
        Category.CREATION,
        Category.IDENTITY,
    ),
    detect=(
        name_is_no_guid,
        Signature(
            pattern=r"\bInvalidRoleAssignmentId\b(?:.{0,60}?role assignment ID '(?P<assignment>[^']{1,200})')?|deleting resource .{0,500}?ERROR CODE: (?P<code>InvalidResourceGroup(?:Name)?|InvalidResourceName|InvalidAzureName|ResourceNameInvalid)\b",
            says="{assignment} is no valid name",
            sample="ERROR CODE: InvalidRoleAssignmentId message: The role assignment ID 'kv-role1' is not valid. The role assignment ID must be a GUID.",
            near_miss="The role assignment ID '5d7f0f1b-0000-0000-0000-000000000000' is valid.",
        ),
    ),
    why="Azure checks a name before anything else: that of a role assignment must be a GUID, that of a resource group may hold no brackets. ASO could not create the object, and the DELETE for the invalid name is refused, too (InvalidRoleAssignmentId, InvalidResourceGroup), so that the finalizer stays.",
    remedy=(
        Step(
            "To delete the object: set the annotation serviceoperator.azure.com/reconcile-policy to skip on it; then the deletion in Kubernetes completes."
        ),
        Step(
            "To create it: give a spec.azureName that Azure accepts; for a role assignment leave out spec.azureName, which makes ASO choose a GUID, or give a GUID.",
            risk=Risk.SAFE,
            verify="kubectl get azure -n {namespace} wants READY True, or no longer lists the object",
        ),
    ),
    docs=(
        "https://azure.github.io/azure-service-operator/guide/annotations/",
        "https://azure.github.io/azure-service-operator/guide/frequently-asked-questions/",
    ),
    leads_to=(
        "kubernetes.finalizer_blocks_deletion",
        "aso.not_ready",
        "aso.invalid_value",
    ),
    ask="kubectl get azure -n {namespace} -o yaml",
)
