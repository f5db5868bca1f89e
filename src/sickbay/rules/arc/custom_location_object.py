from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The object id of the custom locations application could not be read from Entra",
    severity=Severity.WARNING,
    categories=(
        Category.CREATION,
        Category.IDENTITY,
    ),
    detect=(
        Signature(
            pattern=r"(?i)Unable to fetch (?:the )?(?:oid|Object ID) of (?:the )?(?:'custom-locations' app|Azure AD application)|\bAZK8S0701\b|Unable to fetch the Custom Location OID|custom location OID could not be retrieved|Custom Location feature wasn't enabled due to insufficient privileges|CustomLocationsOidFetchFailed",
            says="the object id of the application is not known",
            sample="Unable to fetch oid of 'custom-locations' app. Proceeding without enabling the feature. Insufficient privileges to complete the operation.",
            near_miss="Fetched oid of 'custom-locations' app",
        ),
    ),
    why="Enabling custom locations needs the object id of an Entra application that a service principal may not read (Unable to fetch oid of 'custom-locations' app). The feature stays off, and custom locations cannot be created.",
    remedy=(
        Step(
            "Read the object id as a user.",
            run=(
                "az",
                "ad",
                "sp",
                "show",
                "--id",
                "bc313c14-388c-4e7d-a58e-70017303ee3b",
                "--query",
                "id",
                "-o",
                "tsv",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Enable the feature with it.",
            run=(
                "az",
                "connectedk8s",
                "enable-features",
                "-g",
                "{resource_group}",
                "-n",
                "{cluster}",
                "--custom-locations-oid",
                "<object-id>",
                "--features",
                "cluster-connect",
                "custom-locations",
            ),
            risk=Risk.SAFE,
        ),
    ),
    docs=("https://learn.microsoft.com/azure/azure-arc/kubernetes/custom-locations",),
    leads_to=("arc.custom_locations_disabled",),
)
