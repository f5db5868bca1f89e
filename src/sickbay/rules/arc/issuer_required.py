from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The OIDC issuer of an EKS, GKE or AKS cluster has to be given when it is connected (self-hosted issuer)",
    severity=Severity.ERROR,
    categories=(
        Category.CREATION,
        Category.IDENTITY,
    ),
    detect=(
        Signature(
            pattern=r"(?i)Self hosted issuer is required for (?P<distribution>\w+) cluster when OIDC issuer is being enabled",
            says="the issuer of the {distribution} cluster is missing",
            sample="Self hosted issuer is required for eks cluster when OIDC issuer is being enabled.",
            near_miss="Self hosted issuer https://oidc.eks.eu-west-1.amazonaws.com/id/1 is used",
        ),
    ),
    why="In a cluster of a public cloud Arc cannot replace the issuer of service account tokens. Workload identity then needs the address of the cluster's own OIDC issuer, with --self-hosted-issuer.",
    remedy=(
        Step(
            "Connect with the issuer of the cluster.",
            run=(
                "az",
                "connectedk8s",
                "connect",
                "-g",
                "{resource_group}",
                "-n",
                "{cluster}",
                "--enable-oidc-issuer",
                "--self-hosted-issuer",
                "<issuer-url>",
                "--enable-workload-identity",
            ),
            risk=Risk.SAFE,
            verify="az connectedk8s show … --query oidcIssuerProfile",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/azure-arc/kubernetes/workload-identity",),
)
