from sickbay.model.aso import AsoObject
from sickbay.model.snapshot import Snapshot
from sickbay.rulekit import (
    TYPICAL,
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
    title="The name is not valid for this Azure type: length or characters (AccountNameInvalid, VaultNameNotValid)",
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
        Signature(
            pattern=r"\b(?P<code>VaultNameNotValid|Invalid(?:Resource|Server|Database|Registry|Namespace|Account|Domain|Container|Vault|ResourceGroup|Cluster|Cache|Topic|Queue|Site|Profile|Endpoint|Workspace|Principal|FederatedIdentityCredential)Name\w*|InvalidResourceNameBody|ResourceNameInvalid|ReservedResourceName|NameNotValid|InvalidName|\w+NameNotValid|\w+NameInvalid|InvalidDomainNameLabel|DomainNameLabelInvalid|NamespaceNameInvalid)\b|(?i:zone name is reserved|name '[^']{1,120}' has these invalid characters|(?:resource|vault|component|workspace|topic|queue|factory|plan|store|hub|server|account|registry|namespace|cache|database|container|service|site|domain|zone|profile|identity) name '?(?P<account>[^' ]{1,120})'? (?:is (?:invalid|not valid|reserved)|contains|must|does not|exceeds))|(?i:specified (?:service )?(?:namespace|name|resource name) is (?:invalid|not valid))|(?i:(?:is a trademarked or reserved word|name .{0,80}? reserved word))",
            says="the name[ {account}] is not valid",
            sample="VaultNameNotValid: The vault name 'my_vault' is invalid. A vault's name must be between 3-24 alphanumeric characters.",
            near_miss="The vault name 'myvault' is valid.",
            weight=TYPICAL,
            unless=r"(?i)metadata\.name|RFC ?1123|subdomain must|InvalidPrincipalName|kubernetes",
        ),
    ),
    why="Each Azure type has rules for its names: a storage account name has 3 to 24 characters, lower-case letters and digits only, and is unique in all of Azure. ASO takes metadata.name as the account name when spec.azureName is not set, which may hold hyphens; a vault has 3 to 24 letters, digits and hyphens, a registry 5 to 50 letters and digits, and words such as LOGIN, MICROSOFT or WINDOWS are reserved.",
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
    leads_to=("aks.parameter_invalid", "aso.invalid_value", "aso.request_refused", "aso.not_ready"),
    ask="kubectl get azure -n {namespace} -o yaml",
)
