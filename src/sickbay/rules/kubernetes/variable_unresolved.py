import re

from sickbay.model.snapshot import Snapshot
from sickbay.model.templates import TemplateContainer
from sickbay.model.workloads import Deployment, StatefulSet
from sickbay.rulekit import Category, Clear, Match, Risk, Rule, Severity, Step, each

# Twice the sign is the sign itself; and what Kubernetes sets for a service needs no definition.
_REFERENCE = re.compile(r"(?<!\$)\$\(([A-Z_][A-Z0-9_]*)\)")
_OF_SERVICES = re.compile(r"_(?:SERVICE_HOST|SERVICE_PORT\w*|PORT(?:_\w+)?)$")


@each(Deployment)
def names_no_variable(deployment: Deployment, snapshot: Snapshot) -> Match | Clear | None:  # noqa: ARG001
    return _judge(deployment)


@each(StatefulSet)
def member_names_no_variable(members: StatefulSet, snapshot: Snapshot) -> Match | Clear | None:  # noqa: ARG001
    return _judge(members)


def _judge(work: Deployment | StatefulSet) -> Match | Clear | None:
    template = work.spec.template
    if template is None or work.spec.replicas == 0:
        return None
    for container in template.spec.containers:
        variable, named = _unresolved(container)
        if not variable:
            continue
        is_later = any(one.name == named for one in container.env or ())
        why = "comes after it" if is_later else "is not defined"
        return Match(
            f"variable {variable} of container {container.name} in {work.namespace}/{work.name} refers to $({named}), which {why}",
            facts={"variable": variable, "named": named, "container": container.name},
            cites=(work.cite(f"spec.template.spec.containers[{container.name}].env", variable),),
            # The words may be meant as they stand, until the program cannot use them.
            felt_as=_FELT,
        )
    return Clear(f"the variables of {work.namespace}/{work.name} refer to earlier ones")


def _unresolved(container: TemplateContainer) -> tuple[str, str]:
    """The first variable that refers to one not known before it, and that one's name."""
    if container.env_from:
        return "", ""
    known: set[str] = set()
    for variable in container.env or ():
        for named in _REFERENCE.findall(variable.value or ""):
            if named not in known and not _OF_SERVICES.search(named):
                return variable.name, named
        known.add(variable.name)
    return "", ""


_FELT = (
    "kubernetes.program_fails",
    "kubernetes.config_invalid",
    "kubernetes.setting_missing",
    "kubernetes.exits_at_once",
    "network.dns_name_unknown",
    "network.name_resolution_fails",
    "network.dns_server_silent",
)


RULE = Rule(
    title="A variable refers to another, $(NAME), that is not defined before it, so the program gets the words themselves",
    severity=Severity.ERROR,
    categories=(Category.WORKLOAD,),
    detect=(names_no_variable, member_names_no_variable),
    why="Kubernetes puts in place of $(NAME) the value of a variable that stands earlier in the list of the same container. One that is misspelled, belongs to another container or stands further down is left as it is written, and the program takes the words $(NAME) for its setting.",
    remedy=(
        Step(
            "See the variables in their order.",
            run=("kubectl", "set", "env", "{subject}", "-n", "{namespace}", "--list"),
            risk=Risk.READ,
        ),
        Step(
            "Define {named} before {variable}, in the same container, or correct the name.",
            risk=Risk.DISRUPTIVE,
            verify="kubectl get pod -n {namespace} wants STATUS Running",
        ),
    ),
    docs=(
        "https://kubernetes.io/docs/tasks/inject-data-application/define-interdependent-environment-variables/",
    ),
    leads_to=_FELT,
    ask="kubectl get deployments -n {namespace} -o json",
)
