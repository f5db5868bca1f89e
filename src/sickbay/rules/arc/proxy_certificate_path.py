from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The certificate file of the proxy (--proxy-cert) does not exist at the given path (AZK8S0103)",
    severity=Severity.ERROR,
    categories=(
        Category.CREATION,
        Category.CONNECTIVITY,
    ),
    detect=(
        Signature(
            pattern=r"(?i)\bAZK8S0103\b|Proxy cert path (?P<path>.{1,200}?) does not exist|ProxyCertificatePathNotFound|proxy certificate path does not exist",
            says="the file of --proxy-cert is not there",
            sample="Proxy cert path /etc/ssl/proxy.crt does not exist. Please check the path provided",
            near_miss="Proxy cert path /etc/ssl/proxy.crt is used",
        ),
    ),
    why="az connectedk8s reads the certificate of the proxy from a file on the machine that it runs on, and gives it to the agents. The path of --proxy-cert is misspelt, or is one of another machine.",
    remedy=(
        Step("See whether the file is there, for the user who runs the command."),
        Step(
            "Repeat the command with the right path.",
            run=(
                "az",
                "connectedk8s",
                "update",
                "-g",
                "{resource_group}",
                "-n",
                "{cluster}",
                "--proxy-cert",
                "<path-to-proxy-certificate>",
            ),
            risk=Risk.SAFE,
        ),
    ),
    docs=("https://learn.microsoft.com/azure/azure-arc/kubernetes/quickstart-connect-cluster",),
)
