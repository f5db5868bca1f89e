from sickbay.model.aso import AsoObject
from sickbay.model.snapshot import Snapshot
from sickbay.rulekit import Category, Clear, Match, Risk, Rule, Severity, Signature, Step, each

_SHORTEST, _LONGEST = 3, 24


@each(AsoObject)
def name_breaks_the_rule(thing: AsoObject, snapshot: Snapshot) -> Match | Clear | None:  # noqa: ARG001
    if thing.object_kind != "StorageAccount" or not thing.is_of_aso:
        return None
    name = thing.azure_name or thing.name
    if (
        name.isascii()
        and name.isalnum()
        and name == name.lower()
        and _SHORTEST <= len(name) <= _LONGEST
    ):
        return Clear(f"{name} is a valid name of a storage account")
    return Match(
        f"{name} has {len(name)} characters, and only 3 to 24 lower-case letters and digits are valid",
        facts={"account": name},
        cites=(thing.cite("spec.azureName", name),),
    )


RULE = Rule(
    title="The storage account name is invalid (AccountNameInvalid)",
    severity=Severity.ERROR,
    categories=(
        Category.CREATION,
        Category.STORAGE,
    ),
    detect=(
        name_breaks_the_rule,
        Signature(
            pattern=r"\bAccountNameInvalid\b(?:: (?P<account>\S{1,80}) is not)?|(?P<other>\S{1,80}) is not a valid storage account name",
            says="the name {account} is not valid",
            sample="AccountNameInvalid: my-account is not a valid storage account name. Storage account name must be between 3 and 24 characters in length and use numbers and lower-case letters only.",
            near_miss="myaccount1 is a valid storage account name.",
        ),
    ),
    why="A storage account name has 3 to 24 characters, lower-case letters and digits only, and is unique in all of Azure. ASO takes metadata.name as the account name when spec.azureName is not set, which may hold hyphens.",
    remedy=(
        Step(
            "Delete the object and create it with a valid spec.azureName: 3 to 24 lower-case letters and digits. See whether the name is free.",
            run=(
                "az",
                "storage",
                "account",
                "check-name",
                "--name",
                "{name}",
            ),
            risk=Risk.READ,
            verify="kubectl get azure -n {namespace} wants READY True",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/storage/common/storage-account-overview",),
    leads_to=("aso.not_ready",),
    ask="kubectl get azure -n {namespace} -o yaml",
)
