from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="cloud-init could not set up a node",
    severity=Severity.ERROR,
    categories=(Category.NODES, Category.CREATION, Category.SCALING),
    detect=(
        Signature(
            pattern=r"(?:cloud-init\[\d+\]:|\bcc_\w+\.py\[|\b(?:util|main|stages|handlers|azure|DataSourceAzure)\.py\[).{0,160}?(?:\[?CRITICAL\]?|failed run of stage \w+|Used fallback datasource|Failed to (?:shellify|write file|apply network config)|Running module (?P<module>[\w-]+) .{0,120}?failed|No dhclient|Could not crawl Azure metadata|Failed to (?:fetch|parse) provisioning (?:data|media))|Datasource DataSourceNone\b",
            says="cloud-init did not end well",
            sample="[   31.402112] cloud-init[812]: 2026-03-01 10:02:11,102 - util.py[WARNING]: Running module write-files (<module 'cloudinit.config.cc_write_files'>) failed",
            near_miss="[   31.402112] cloud-init[812]: Cloud-init v. 24.4-0ubuntu1 finished at Sun, 01 Mar 2026 10:02:11 +0000. Datasource DataSourceAzure [seed=/dev/sr0]. Up 31.40 seconds",
            weight=TYPICAL,
        ),
    ),
    why="cloud-init brings the files and settings of AKS onto a new machine before its bootstrap runs. When it finds no data, cannot write, or has no network at that time, the bootstrap misses what it needs and ends with an error of its own, or never begins.",
    remedy=(
        Step(
            "Read its log on the machine.",
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
                "<id>",
                "--command-id",
                "RunShellScript",
                "--scripts",
                "cloud-init status --long; tail -n 100 /var/log/cloud-init-output.log",
            ),
            risk=Risk.SAFE,
        ),
        Step(
            "Give the machine a new disk from its image, so that it is set up again.",
            run=(
                "az",
                "vmss",
                "reimage",
                "-g",
                "{node_resource_group}",
                "-n",
                "<scale-set>",
                "--instance-ids",
                "<id>",
            ),
            risk=Risk.DISRUPTIVE,
            verify="kubectl get nodes wants Ready",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/virtual-machines/linux/cloud-init-deployment-delay",
    ),
    leads_to=(
        "aks.instance_failed",
        "aks.machine_failed",
        "aks.vm_extension_failed",
        "aks.bootstrap_timeout",
        "kubernetes.kubelet_silent",
    ),
    ask="az vmss list-instances -g {node_resource_group} -n <scale-set> --expand instanceView -o json",
)
