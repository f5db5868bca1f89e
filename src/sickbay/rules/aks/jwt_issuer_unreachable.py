from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The API server cannot fetch the keys of an external identity provider",
    severity=Severity.ERROR,
    categories=(Category.IDENTITY,),
    detect=(
        Signature(
            pattern=r"oidc: (?:authenticator not initialized|fetch(?:ing)? (?:keys|provider)|failed to (?:get|query) provider|error while initializing provider)(?:.{0,40}?https?://(?P<host>[\w.-]+))?|(?i:openid-configuration).{0,200}?(?:i/o timeout|no such host|connection refused|x509|context deadline exceeded)",
            says="the discovery document of the issuer could not be read",
            sample='oidc authenticator: initializing plugin: Get "https://idp.contoso.com/.well-known/openid-configuration": dial tcp: i/o timeout',
            near_miss="oidc authenticator initialized for https://idp.contoso.com",
            weight=TYPICAL,
            passes=True,
        ),
    ),
    why="The API server reads /.well-known/openid-configuration and the keys from the issuer, over HTTPS with a publicly trusted certificate; a name, a firewall or a certificate keeps it from there.",
    remedy=(
        Step(
            "See the authenticator.",
            run=(
                "az",
                "aks",
                "jwtauthenticator",
                "show",
                "-g",
                "{resource_group}",
                "--cluster-name",
                "{cluster}",
                "--name",
                "<name>",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Make the issuer reachable from the control plane over public HTTPS, or correct its URL.",
            run=(
                "az",
                "aks",
                "jwtauthenticator",
                "update",
                "-g",
                "{resource_group}",
                "--cluster-name",
                "{cluster}",
                "--name",
                "<name>",
                "--config-file",
                "jwt-config.json",
            ),
            verify="kubectl auth whoami answers with the mapped user",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/security/troubleshoot-aks-control-plane-authentication-external-identity-providers",
    ),
    ask="az aks jwtauthenticator show -g {resource_group} --cluster-name {cluster} --name <name>",
)
