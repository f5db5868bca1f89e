from sickbay.rulekit import Category, Rule, Severity, Signature, Step

RULE = Rule(
    title="The operating system of this machine is not supported by the CLI extension or Arc agent (AZK8S0002)",
    severity=Severity.ERROR,
    categories=(Category.CREATION,),
    detect=(
        Signature(
            pattern=r"(?i)\bAZK8S0002\b|UnsupportedOperatingSystem\b|The (?P<system>[\w .-]{1,40}?) platform is not currently supported|Unsupported OS detected|current operating system is not supported|azcmagent\S{0,20} error: unsupported platform|\bAZCM0153\b",
            says="the extension does not run on this operating system",
            sample="The freebsd platform is not currently supported for installing helm client.",
            near_miss="The linux platform is supported",
        ),
    ),
    why="The extensions for Arc bring programs (helm, kubectl, arcProxy) that exist for Windows, Linux and macOS on common processors only; the Connected Machine agent too is made for a list of systems, and its older installers refuse ARM64 (aarch64).",
    remedy=(
        Step(
            "Run the command on a supported machine, or in Azure Cloud Shell with the kubeconfig of the cluster.",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/azure-arc/kubernetes/quickstart-connect-cluster",),
)
