from sickbay.rulekit import Category, Rule, Severity, Signature, Step

RULE = Rule(
    title="Two outputs of an ASO object are written to the same destination key",
    severity=Severity.ERROR,
    categories=(Category.CREATION,),
    detect=(
        Signature(
            pattern=r'cannot write more than one (?P<what>secret|config ?map value) to destination (?:Name: "(?P<destination>[^"]{1,253})", Key: "(?P<key>[^"]{1,253})")?',
            says="two values go to {destination}, key {key}",
            sample='cannot write more than one secret to destination Name: "storage-keys", Key: "key1"',
            near_miss='wrote one secret to destination Name: "storage-keys", Key: "key1"',
        ),
    ),
    why="Each entry of operatorSpec.secrets and operatorSpec.configMaps needs a destination of its own. More than one value for the same name and key would overwrite each other, and the ASO webhook refuses the object.",
    remedy=(
        Step(
            "Give each entry of operatorSpec its own key or its own secret name, then apply the manifest again."
        ),
    ),
    docs=("https://azure.github.io/azure-service-operator/guide/secrets/",),
)
