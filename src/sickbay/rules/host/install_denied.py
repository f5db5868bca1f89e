from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="az aks install-cli may not write kubectl or kubelogin into its folder (/usr/local/bin belongs to root)",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY,),
    detect=(
        Signature(
            pattern=r"(?i)\[Errno (?:1|13|30)\] (?:Permission denied|Operation not permitted|Read-only file system): '(?P<path>\S{0,200}[/\\](?:kubectl|kubelogin)(?:\.exe)?)'|install-cli.{0,300}?\[Errno 13\] Permission denied: '(?P<folder>[^' ]{1,200})'",
            says="the program may not be written[ to {path}]",
            sample="Connection error while attempting to download client ([Errno 13] Permission denied: '/usr/local/bin/kubectl')",
            near_miss='Downloading client to "/usr/local/bin/kubectl" from "https://dl.k8s.io/release/v1.31.0/bin/linux/amd64/kubectl"',
        ),
    ),
    why="On Linux and macOS the command writes to /usr/local/bin, which only root may change; in Cloud Shell nobody may. Its text calls this a connection error, and the network has no part in it.",
    remedy=(
        Step(
            "Write to a folder of your own, and put that folder into PATH.",
            run=(
                "az",
                "aks",
                "install-cli",
                "--install-location",
                "<folder>/kubectl",
                "--kubelogin-install-location",
                "<folder>/kubelogin",
            ),
            risk=Risk.SAFE,
            verify="kubectl version --client prints a version",
        ),
        Step("Or run the command with sudo; in Cloud Shell both are there already."),
    ),
    leads_to=("kubernetes.file_permission_denied",),
    docs=("https://learn.microsoft.com/cli/azure/aks#az-aks-install-cli",),
    ask="az aks install-cli --debug",
)
