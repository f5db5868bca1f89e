from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="Workload identity needs the OIDC issuer of the cluster, which is not enabled",
    severity=Severity.ERROR,
    categories=(
        Category.IDENTITY,
        Category.CREATION,
    ),
    detect=(
        Signature(
            pattern=r"(?i)workload ?identity\b.{0,80}?(?:requires?|needs?|without|must) .{0,40}?(?:OIDC ?issuer|--enable-oidc-issuer)|OIDC ?issuer\b.{0,60}?(?:must be enabled|is not enabled|has to be enabled|not enabled|should be enabled)|Federated Identity Credential must specify 'issuer'|\bWorkloadIdentity\w*OIDC\w*\b|\bOIDCIssuer(?:NotEnabled|Required)\w*\b",
            says="the OIDC issuer is off",
            sample="Enabling workload identity requires enabling OIDC issuer (--enable-oidc-issuer).",
            near_miss="OIDC issuer of cluster shop is https://westeurope.oic.prod-aks.azure.com/t/i/",
            unless=r"(?i)cannot be disabled",
        ),
    ),
    why="Tokens of service accounts are exchanged for Entra ID tokens by the public keys that the OIDC issuer of the cluster publishes. Workload identity can only be enabled together with it; once on, the issuer cannot be turned off. Without it a template has no issuer to write into the federated credential.",
    remedy=(
        Step(
            "Enable both.",
            run=(
                "az",
                "aks",
                "update",
                "-g",
                "{resource_group}",
                "-n",
                "{cluster}",
                "--enable-oidc-issuer",
                "--enable-workload-identity",
            ),
            risk=Risk.SAFE,
            verify="az aks show --query oidcIssuerProfile.issuerUrl wants a URL",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/aks/workload-identity-deploy-cluster",),
    leads_to=("aks.request_refused",),
    ask="az aks show -g {resource_group} -n {cluster} --query oidcIssuerProfile -o json",
)
