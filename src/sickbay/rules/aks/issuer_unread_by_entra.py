from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="Entra ID cannot read the keys of the token issuer, so no workload identity gets a token (AADSTS90061)",
    severity=Severity.ERROR,
    categories=(Category.IDENTITY,),
    detect=(
        Signature(
            pattern=r"AADSTS(?:90061|50166|700272|501661)\b|(?i:Request to External OIDC endpoint failed)",
            says="Entra ID could not read the OIDC issuer",
            sample="ClientAssertionCredential authentication failed: AADSTS90061: Request to External OIDC endpoint failed.",
            near_miss="ClientAssertionCredential authentication succeeded",
            weight=TYPICAL,
        ),
    ),
    why="To check a token of a service account, Entra ID fetches the discovery document and the keys from the issuer URL over the internet. The issuer of an own cluster is not public, its document or certificate is broken, or the issuer of AKS had an outage for a while.",
    remedy=(
        Step(
            "See which issuer the cluster has.",
            run=(
                "az",
                "aks",
                "show",
                "-g",
                "{resource_group}",
                "-n",
                "{cluster}",
                "--query",
                "oidcIssuerProfile.issuerUrl",
                "-o",
                "tsv",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Read its document from the internet; it must name the same issuer, and its keys.",
            run=(
                "curl",
                "-s",
                "<issuer-url>/.well-known/openid-configuration",
            ),
            risk=Risk.READ,
        ),
        Step(
            "If it answers, try again after some minutes: Entra ID remembers a failure for a while."
        ),
    ),
    docs=(
        "https://azure.github.io/azure-workload-identity/docs/troubleshooting.html",
        "https://learn.microsoft.com/azure/aks/workload-identity-overview",
    ),
    ask="az aks show -g {resource_group} -n {cluster} --query oidcIssuerProfile",
)
