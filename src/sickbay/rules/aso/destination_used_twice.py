from sickbay.model.aso import AsoObject
from sickbay.model.aso_spec import destinations_of
from sickbay.model.snapshot import Snapshot
from sickbay.rulekit import Category, Clear, Match, Rule, Severity, Signature, Step, each


@each(AsoObject)
def writes_one_key_twice(thing: AsoObject, snapshot: Snapshot) -> Match | Clear | None:  # noqa: ARG001
    seen: dict[tuple[str, str, str], str] = {}
    for need in destinations_of(thing.wanted) if thing.is_of_aso else ():
        mark = (need.kind, need.name, need.key)
        if mark in seen:
            return Match(
                f"{seen[mark]} and {need.path} of {thing.name} are both written to {need.kind} {need.name}, key {need.key}",
                facts={"destination": need.name, "key": need.key},
                cites=(thing.cite(need.path, f"{need.name}.{need.key}"),),
            )
        seen[mark] = need.path
    return Clear(f"each output of {thing.name} has a destination of its own") if seen else None


RULE = Rule(
    title="Two outputs of an ASO object are written to the same destination key",
    severity=Severity.ERROR,
    categories=(Category.CREATION,),
    detect=(
        writes_one_key_twice,
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
