from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A Crossplane resource names a ProviderConfig that does not exist",
    severity=Severity.ERROR,
    categories=(Category.CREATION, Category.IDENTITY),
    detect=(
        Signature(
            pattern=r"(?i:cannot get (?:referenced )?(?:Cluster)?Provider(?:Config)?\b.{0,120}?: )?\b(?:Cluster)?ProviderConfig(?:\.(?P<group>[\w.-]{1,80}))? \"(?P<config>[\w.-]{1,253})\" not found|(?i:providerconfigs?\.(?P<other>[\w.-]{1,80}) \"(?P<named>[\w.-]{1,253})\" not found)",
            says="there is no ProviderConfig {config}{named}",
            sample='cannot get ProviderConfig: ProviderConfig.azure.upbound.io "default" not found',
            near_miss='ProviderConfig.azure.upbound.io "default" is in use by 3 resources',
        ),
    ),
    why="A managed resource takes its credentials from the ProviderConfig that spec.providerConfigRef names, `default` if it names none. Each provider family has a kind of its own, found by API group (azure.upbound.io for Azure): one of another group, another name, or for a namespaced resource of another namespace does not count.",
    remedy=(
        Step(
            "List what there is (the group is that of the resource).",
            run=("kubectl", "get", "providerconfigs.azure.upbound.io"),
            risk=Risk.READ,
        ),
        Step(
            "Make the ProviderConfig of that group and name with its credentials, or correct providerConfigRef of the resource.",
            verify="kubectl get managed wants SYNCED True",
        ),
    ),
    docs=("https://docs.crossplane.io/latest/managed-resources/managed-resources/",),
    ask="kubectl get providerconfigs.azure.upbound.io",
)
