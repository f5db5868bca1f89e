from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A machine of a Cluster API cluster did not become a node: cloud-init or kubeadm failed (BootstrapFailed)",
    severity=Severity.ERROR,
    categories=(Category.NODES, Category.CREATION),
    detect=(
        Signature(
            pattern=r"VM bootstrapping extension failed to provision|processing extension '?CAPZ\.(?P<system>Linux|Windows)\.Bootstrapping|(?i:type): BootstrapSucceeded.{0,40}?BootstrapFailed|\bBootstrapFailed\b.{0,120}?BootstrapSucceeded|extension .{0,80}?CAPZ\.(?:Linux|Windows)\.Bootstrapping.{0,120}?[Ff]ail|\bExtensionNotFoundForCPUArchitecture\b|Extension with publisher '?[\w.]{3,80}'?, type '?(?P<extension>[\w.]+)'?.{0,80}? for CPU Architecture '?(?P<architecture>\w+)'? was not found",
            says="the bootstrap of the machine failed",
            sample="message: VM bootstrapping extension failed to provision. This likely means the Kubernetes node bootstrapping process failed or timed out. Check VM boot diagnostics logs to learn more reason: BootstrapFailed",
            near_miss="type: BootstrapSucceeded reason: BootstrapInProgress severity: Info",
            weight=TYPICAL,
        ),
    ),
    why="The extension CAPZ.Linux.Bootstrapping (or Windows) only waits for the file that cloud-init writes when kubeadm init or join has ended. An old release of CAPZ has it for x64 only (ExtensionNotFoundForCPUArchitecture on arm64 machines). It fails when that never comes: the image lacks this Kubernetes version, a preKubeadmCommand failed, images cannot be pulled, or the machine does not reach the API server through its load balancer, or the etcd members of the other control plane nodes (port 2380).",
    remedy=(
        Step(
            "Read what cloud-init and kubeadm said on the machine (/var/log/cloud-init-output.log).",
            run=(
                "az",
                "vm",
                "boot-diagnostics",
                "get-boot-log",
                "-g",
                "{resource_group}",
                "-n",
                "<machine>",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Correct what it names (image, commands of the KubeadmConfig, egress, address of the API server), and delete the Machine: its owner makes a new one.",
            verify="kubectl get machines -A wants the phase Running",
        ),
    ),
    docs=(
        "https://capz.sigs.k8s.io/self-managed/troubleshooting",
        "https://capz.sigs.k8s.io/self-managed/vm-bootstrap-extension",
    ),
    leads_to=("aks.vm_extension_failed", "aso.capz_not_ready"),
    ask="az vm boot-diagnostics get-boot-log -g {resource_group} -n <machine>",
)
