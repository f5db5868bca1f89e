from sickbay.model.aks import AgentPool
from sickbay.model.snapshot import Snapshot
from sickbay.rulekit import Category, Clear, Match, Risk, Rule, Severity, Signature, Step, each


@each(AgentPool)
def has_linux_settings(pool: AgentPool, snapshot: Snapshot) -> Match | Clear | None:  # noqa: ARG001
    if (pool.os_type or "").casefold() != "windows":
        return None
    if pool.linux_os_config is None:
        return Clear(f"Windows pool {pool.name} has no Linux settings")
    return Match(
        f"node pool {pool.name} is of Windows and carries linuxOSConfig",
        cites=(pool.cite("properties.linuxOSConfig", "set"),),
    )


RULE = Rule(
    title="Custom Linux OS settings were given to a Windows node pool, where they have no effect",
    severity=Severity.WARNING,
    categories=(
        Category.CREATION,
        Category.NODES,
    ),
    detect=(
        has_linux_settings,
        Signature(
            pattern=r"(?i)\bCustomKubeletConfigOrCustomLinuxOSConfigNotSupported\b|(?:custom ?)?linux ?OS ?config\w* .{0,80}?(?:not supported|unsupported|not allowed|invalid|only supported).{0,60}?windows|windows .{0,80}?(?:does not|doesn't|cannot) .{0,40}?linux ?OS ?config",
            says="Linux OS settings do not hold for Windows",
            sample="(BadRequest) LinuxOSConfig is not supported for Windows agent pools.",
            near_miss="LinuxOSConfig was applied to Linux agent pool np1",
        ),
    ),
    why="linuxOSConfig (sysctls, swap, transparent huge pages) holds for Linux nodes. A Windows pool takes no custom OS configuration; what was meant to be set there is not.",
    remedy=(
        Step(
            "Give the settings to a Linux pool, and leave them out of the Windows pool.",
            run=(
                "az",
                "aks",
                "nodepool",
                "add",
                "-g",
                "{resource_group}",
                "--cluster-name",
                "{cluster}",
                "-n",
                "<new-pool>",
                "--linux-os-config",
                "<file>",
            ),
            risk=Risk.SAFE,
            verify="az aks nodepool show --query linuxOsConfig wants the settings",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/create-upgrade-delete/known-issues-custom-kubelet-configuration",
        "https://learn.microsoft.com/azure/aks/custom-node-configuration",
    ),
    leads_to=("aks.operation_failed",),
)
