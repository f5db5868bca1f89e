from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The credentials of a Crossplane ProviderConfig cannot be used: secret missing, empty or not the JSON wanted",
    severity=Severity.ERROR,
    categories=(Category.IDENTITY, Category.CREATION),
    detect=(
        Signature(
            pattern=r"(?i)cannot get authorizer from client credentials config|failed to get SPT from client credentials|parameter 'activeDirectoryEndpoint' cannot be empty|cannot get terraform setup: cannot (?:extract|unmarshal|get|initialize|find)|cannot unmarshal (?:the )?(?:template |Azure )?credentials(?: as JSON)?|cannot (?:get|extract) credentials(?: secret)?: |cannot get referenced (?:Provider|ProviderConfig) credentials|cannot get auth information",
            says="the provider cannot make a client of its credentials",
            sample="cannot get authorizer from client credentials config: failed to get SPT from client credentials: parameter 'activeDirectoryEndpoint' cannot be empty",
            near_miss="the provider got its authorizer from the client credentials config",
            weight=TYPICAL,
            unless=r"AADSTS\d|(?i:registry|docker|git )",
        ),
    ),
    why="The provider reads the secret of the ProviderConfig and wants one JSON document in it: for a service principal that of `az ad sp create-for-rbac --sdk-auth` with clientId, clientSecret, tenantId, subscriptionId and the endpoints of the cloud. Another key in the secret, output without --sdk-auth, a broken base64 or an unfilled placeholder leaves values empty, and nothing is sent to Azure.",
    remedy=(
        Step(
            "See which secret and key the ProviderConfig names.",
            run=("kubectl", "get", "providerconfigs.azure.upbound.io", "-o", "yaml"),
            risk=Risk.READ,
        ),
        Step(
            "Make the JSON again and the secret from the file, without encoding it by hand.",
            run=(
                "kubectl",
                "create",
                "secret",
                "generic",
                "<secret>",
                "-n",
                "crossplane-system",
                "--from-file=creds=<credentials.json>",
            ),
            risk=Risk.SAFE,
            verify="kubectl get managed wants SYNCED True",
        ),
    ),
    docs=("https://docs.upbound.io/providers/provider-azure/authentication/",),
    ask="kubectl get providerconfigs.azure.upbound.io -o yaml",
)
