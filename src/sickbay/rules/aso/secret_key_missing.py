from sickbay.model.aso import AsoObject
from sickbay.model.aso_spec import secrets_of
from sickbay.model.evidence import Gap, UnseenError
from sickbay.model.ids import kube
from sickbay.model.installed import Secret
from sickbay.model.snapshot import Snapshot
from sickbay.rulekit import Category, Clear, Match, Risk, Rule, Severity, Signature, Step, each


@each(AsoObject)
def key_does_not_exist(thing: AsoObject, snapshot: Snapshot) -> Match | Clear | None:
    if thing.is_ready or not thing.is_of_aso:
        return None
    needs = list(secrets_of(thing.wanted))
    for need in needs:
        holder = snapshot.find(kube("Secret", thing.namespace, need.name))
        if not isinstance(holder, Secret):
            continue
        if holder.keys is None:
            look = f"kubectl describe secret {need.name} -n {thing.namespace}"
            raise UnseenError(Gap("Secret", f"keys of {need.name}", to_open=look))
        if need.key not in holder.keys:
            held = ", ".join(holder.keys) or "nothing"
            return Match(
                f"{thing.object_kind} {thing.name} reads {need.key} from secret {need.name}, which holds {held}",
                facts={"secret": need.name, "key": need.key},
                cites=(thing.cite(need.path, f"{need.name}.{need.key}"),),
            )
    return Clear(f"every secret that {thing.name} names has its key") if needs else None


RULE = Rule(
    title="A secret exists but lacks the key that an ASO object asks for (SecretNotFound)",
    severity=Severity.ERROR,
    categories=(
        Category.CREATION,
        Category.IDENTITY,
    ),
    detect=(
        key_does_not_exist,
        Signature(
            pattern=r'(?:\(|secret references?:? .{0,300}?)Secret "(?:(?P<namespace>[\w.-]+)/)?(?P<secret>[\w.-]+)" does not contain key "(?P<key>[^"]{1,253})"',
            says="the secret {secret} has no key {key}",
            sample='failed resolving secret references: default/pg-admin does not exist (Secret "default/pg-admin" does not contain key "password")',
            near_miss='credential Secret "default/aso-credential" does not contain key "AZURE_CLIENT_ID"',
        ),
    ),
    why="A secret reference of ASO names a secret and a key in it. The secret is there and the key is not, which ASO reports as SecretNotFound too.",
    remedy=(
        Step(
            "List the keys of the secret, without their values.",
            run=(
                "kubectl",
                "describe",
                "secret",
                "{secret}",
                "-n",
                "{namespace}",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Add the key {key} to the secret, or name one that it has in the spec.",
            verify="kubectl describe secret {secret} -n {namespace} lists {key}",
        ),
    ),
    docs=(
        "https://azure.github.io/azure-service-operator/guide/secrets/",
        "https://azure.github.io/azure-service-operator/guide/diagnosing-problems/",
    ),
    leads_to=("aso.not_ready",),
    ask="kubectl describe secret {secret} -n {namespace}",
)
