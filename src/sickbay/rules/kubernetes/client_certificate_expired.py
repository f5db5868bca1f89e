from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The client certificate of the kubeconfig has expired",
    severity=Severity.ERROR,
    categories=(Category.IDENTITY,),
    detect=(
        Signature(
            pattern=r"client certificate of the kubeconfig: x509: certificate has expired or is not yet valid: current time (?P<now>\S+) is (?P<side>after|before) (?P<bound>[\w:-]+)",
            says="the client certificate of the kubeconfig is outside its validity ({now} is {side} {bound})",
            sample="client certificate of the kubeconfig: x509: certificate has expired or is not yet valid: current time 2026-03-02T10:00:00Z is after 2026-03-01T00:00:00Z",
            near_miss="Unable to connect to the server: x509: certificate has expired or is not yet valid: current time 2026-01-12T10:11:12Z is after 2026-01-01T00:00:00Z",
        ),
    ),
    why="The kubeconfig signs in with a client certificate whose validity is over (or, with a wrong clock here, has not begun), so the API server treats the client as unknown and answers Unauthorized. Whoever signs in with another credential is not affected.",
    remedy=(
        Step("Compare the clock of this machine, when the certificate is said to be too young."),
        Step(
            "Fetch the kubeconfig anew; an admin kubeconfig of AKS brings a fresh certificate.",
            run=(
                "az",
                "aks",
                "get-credentials",
                "--resource-group",
                "{resource_group}",
                "--name",
                "{cluster}",
                "--overwrite-existing",
            ),
            risk=Risk.SAFE,
            verify="kubectl get --raw /version answers",
        ),
        Step(
            "Where the fresh one has expired too, rotate the certificates of the cluster.",
            run=(
                "az",
                "aks",
                "rotate-certs",
                "--resource-group",
                "{resource_group}",
                "--name",
                "{cluster}",
            ),
            risk=Risk.DISRUPTIVE,
            verify="kubectl get nodes wants Ready",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/aks/certificate-rotation",),
    leads_to=("kubernetes.kubeconfig_rejected", "kubernetes.certificate_expired"),
    ask="kubectl config view --minify --raw -o jsonpath={.users[0].user.client-certificate-data}",
)
