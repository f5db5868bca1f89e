from sickbay.model.cse import Ending, printed
from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A custom setting of the node (sysctl, swap, certificate, search domain, local DNS) failed during bootstrap",
    severity=Severity.ERROR,
    categories=(
        Category.NODES,
        Category.CREATION,
    ),
    detect=(
        Signature(
            pattern=printed(Ending.SETTING),
            says="the bootstrap of a node ended at a custom setting",
            sample="vmssCSE error messages : {vmssCSE exit status=161, output=update-ca-certificates: no certificate found",
            near_miss="vmssCSE exit status=1610, output=done",
        ),
    ),
    why="The bootstrap script applies what the pool asks for beyond the image: kernel settings and swap of linuxOSConfig, CA certificates of the proxy or of custom CA trust, DNS search domains, LocalDNS. One of them is malformed or does not fit the machine (exit codes 80, 103, 130, 131, 160, 161 and 216), so no node of the pool comes up.",
    remedy=(
        Step(
            "See which settings the pool and the cluster carry.",
            run=(
                "az",
                "aks",
                "nodepool",
                "show",
                "-g",
                "{resource_group}",
                "--cluster-name",
                "{cluster}",
                "-n",
                "{pool}",
                "--query",
                "{linux:linuxOsConfig,kubelet:kubeletConfig,dns:localDnsProfile}",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Read which of them the script stopped at.",
            run=(
                "az",
                "vmss",
                "run-command",
                "invoke",
                "-g",
                "{node_resource_group}",
                "-n",
                "<scale-set>",
                "--instance-id",
                "<instance>",
                "--command-id",
                "RunShellScript",
                "--scripts",
                "tail -80 /var/log/azure/cluster-provision.log",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Add a pool without that setting, or with a value that fits (a swap file below the free space of the temporary disk, a certificate in PEM form), and delete this one.",
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
            ),
            risk=Risk.SAFE,
            verify="az aks nodepool show wants provisioningState Succeeded",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/availability-performance/node-not-ready-custom-script-extension-errors",
        "https://learn.microsoft.com/azure/aks/custom-node-configuration",
        "https://learn.microsoft.com/azure/aks/http-proxy",
    ),
    leads_to=("aks.vm_extension_failed",),
    ask="az vmss list-instances -g {node_resource_group} -n <scale-set> --expand instanceView -o json",
)
