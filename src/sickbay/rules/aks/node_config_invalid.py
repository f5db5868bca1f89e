from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The custom kubelet or Linux OS configuration of the node pool is not valid (InvalidCustomKubeletConfig)",
    severity=Severity.ERROR,
    categories=(
        Category.CREATION,
        Category.SCALING,
    ),
    detect=(
        Signature(
            pattern=r"\bInvalidCustom(?:Kubelet|LinuxOS|Node)Config\b|\bCustom(?:KubeletConfig|LinuxOSConfig)\.\w+.{0,120}?(?:must|should|invalid|cannot|can't|not |range)|(?i:(?:kubelet|linux ?os) ?config\w*.{0,100}?(?:\binvalid\b|is not supported|are not supported|not valid|out of range|must be (?:between|in|less|greater|set|one)))|(?i:(?:sysctls?|swapFileSizeMB|transparentHugePage\w+|failSwapOn|cpuManagerPolicy|topologyManagerPolicy|imageGc\w+|allowedUnsafeSysctls|podMaxPids|containerLog\w+)\b.{0,100}?(?:\binvalid\b|is not supported|not valid|out of range|must be (?:between|in|less|greater|set|one)))",
            says="the kubelet or OS configuration of the pool is refused",
            sample="InvalidCustomLinuxOSConfig: CustomKubeletConfig.FailSwapOn must be set to false to enable swap file on nodes.",
            near_miss="CustomKubeletConfig of pool np1: cpuManagerPolicy static",
            weight=TYPICAL,
            unless=r"(?i)CanNotBeChanged|can ?not be changed|ExitCode|exit status|forbidden sysctl|SysctlForbidden|CustomLinuxOSConfig is not supported on Windows|windows",
        ),
    ),
    why="AKS takes only listed kubelet and sysctl settings, each within its range, and some only together: swap needs failSwapOn false, imageGcLowThreshold must lie below imageGcHighThreshold. A value beside that is refused before a node is made, and most of it can only be set when the pool is created.",
    remedy=(
        Step(
            "See what the pool has now.",
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
                "<pool>",
                "-o",
                "json",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Compare the file given by --kubelet-config or --linux-os-config (kubelet_config, linux_os_config in Terraform) with the list of settings and ranges, and correct the one that the message names."
        ),
        Step(
            "Make a pool with the corrected files.",
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
                "--kubelet-config",
                "kubelet.json",
                "--linux-os-config",
                "os.json",
            ),
            risk=Risk.SAFE,
            verify="az aks nodepool show wants provisioningState Succeeded",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/aks/custom-node-configuration",),
    leads_to=("aks.request_refused",),
    ask="az aks nodepool show -g {resource_group} --cluster-name {cluster} -n <pool> -o json",
)
