from sickbay.rulekit import SYMPTOM, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The deployment of the Arc resource bridge ended in a KVA timeout",
    severity=Severity.ERROR,
    categories=(
        Category.CREATION,
        Category.CONNECTIVITY,
    ),
    detect=(
        Signature(
            pattern=r"(?i)\bKVA[ _-]?time(?:d )?[- ]?out|\bKVATimeout\w*|\bPostOperationTimeout\b|PostOperationsErrorKubeadmControlPlane|timed out waiting for the appliance cluster|Deployment of the Arc resource bridge appliance VM timed out|Context timed out during phase|kvactl(?:\.exe)?\"? create\b.{0,400}?returned a non[- ]zero exit code ?1(?: ?\[ ?\]| ?$)",
            says="the deployment of the appliance timed out",
            sample="Appliance cluster deployment failed with error: KVA timeout error: timed out waiting for the appliance cluster to become ready",
            near_miss="Appliance cluster deployment succeeded after waiting for KVA",
            weight=SYMPTOM,
        ),
    ),
    why="A KVA timeout is a collective error: the management machine, the appliance VM, the control plane address, vCenter or the MOC cloud agent, DNS, a proxy or a required URL could not reach one another before the deployment gave up. kva.log in the collected logs names the connection that failed.",
    remedy=(
        Step(
            "Collect the logs by the address of the appliance VM (the kubeconfig may be empty) and read kva.log.",
            run=(
                "az",
                "arcappliance",
                "logs",
                "<fabric>",
                "--ip",
                "<appliance-vm-ip>",
                "--out-dir",
                "logs",
            ),
            risk=Risk.READ,
        ),
        Step(
            "From the management machine, reach the appliance VM and the control plane.",
            run=(
                "ping",
                "<control-plane-ip>",
            ),
            risk=Risk.READ,
            verify="both addresses answer, and ports 22 and 6443 are open",
        ),
        Step(
            "Resolve the management endpoint with the DNS server that the configuration files name.",
            run=(
                "nslookup",
                "<vcenter-or-cloud-agent>",
                "<dns-server>",
            ),
            risk=Risk.READ,
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/azure-arc/resource-bridge/troubleshoot-resource-bridge",
        "https://learn.microsoft.com/azure/azure-arc/resource-bridge/network-requirements",
    ),
    leads_to=("arc.appliance_offline",),
)
