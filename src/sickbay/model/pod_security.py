"""What the Pod Security levels of Kubernetes forbid, and what a pod's template asks for of it."""

from collections.abc import Iterator
from typing import Final

from sickbay.model.guards import Namespace
from sickbay.model.templates import TemplateContainer, TemplateSpec

BASELINE: Final = "baseline"
RESTRICTED: Final = "restricted"
_ENFORCE: Final = "pod-security.kubernetes.io/enforce"
_HARMLESS: Final = frozenset(
    "AUDIT_WRITE CHOWN DAC_OVERRIDE FOWNER FSETID KILL MKNOD NET_BIND_SERVICE "
    "SETFCAP SETGID SETPCAP SETUID SYS_CHROOT".split()
)
_CONFINED: Final = ("RuntimeDefault", "Localhost")


def enforced(namespace: Namespace) -> str:
    """The level that a namespace enforces, or an empty string."""
    level = namespace.labels.get(_ENFORCE, "")
    return level if level in (BASELINE, RESTRICTED) else ""


def violations(spec: TemplateSpec, level: str) -> list[str]:
    """What a level forbids of a template, in words; only what is surely forbidden."""
    found = [*_of_pod(spec)]
    for container in (*(spec.init_containers or ()), *spec.containers):
        found += [f"container {container.name} {what}" for what in _of_container(container)]
    if level == RESTRICTED and not (spec.os and spec.os.name == "windows"):
        for container in (*(spec.init_containers or ()), *spec.containers):
            lacks = _lacks(container, spec)
            found += [f"container {container.name} {what}" for what in lacks]
    return list(dict.fromkeys(found))


def _of_pod(spec: TemplateSpec) -> Iterator[str]:
    shared = {
        "hostNetwork": spec.host_network,
        "hostPID": spec.host_pid,
        "hostIPC": spec.host_ipc,
    }
    yield from (f"{name} is true" for name, is_set in shared.items() if is_set)
    for volume in spec.volumes or ():
        if volume.host_path:
            yield f"volume {volume.name} is a hostPath"


def _of_container(container: TemplateContainer) -> Iterator[str]:
    for port in container.ports or ():
        if port.host_port:
            yield f"takes host port {port.host_port}"
    context = container.security_context
    if context is None:
        return
    if context.privileged:
        yield "is privileged"
    added = (context.capabilities and context.capabilities.add) or ()
    strong = [one for one in added if one.removeprefix("CAP_") not in _HARMLESS]
    if strong:
        yield f"adds {', '.join(strong)}"
    if context.seccomp_profile and context.seccomp_profile.type == "Unconfined":
        yield "is not confined by seccomp"


def _lacks(container: TemplateContainer, spec: TemplateSpec) -> Iterator[str]:
    """What the restricted level wants to be said, and is not."""
    own, pod = container.security_context, spec.security_context
    if own is None or own.allow_privilege_escalation is not False:
        yield "does not set allowPrivilegeEscalation false"
    dropped = (own and own.capabilities and own.capabilities.drop) or ()
    if "ALL" not in dropped:
        yield "does not drop ALL capabilities"
    said = own.run_as_non_root if own and own.run_as_non_root is not None else None
    if said is None:
        said = pod.run_as_non_root if pod else None
    if said is not True:
        yield "does not set runAsNonRoot"
    profile = (own and own.seccomp_profile) or (pod and pod.seccomp_profile)
    if not profile or profile.type not in _CONFINED:
        yield "has no seccompProfile"
