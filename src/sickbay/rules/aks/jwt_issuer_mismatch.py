from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The API server refuses tokens of an external identity provider: the issuer URL differs",
    severity=Severity.ERROR,
    categories=(Category.IDENTITY,),
    detect=(
        Signature(
            pattern=r'oidc: id token issued by a different provider, expected "?(?P<expected>[^" ]{1,300})"? got "?(?P<got>[^" ]{1,300})|oidc: issuer did not match the issuer returned by provider',
            unless=r"(?i)Failed to query provider|argo|grafana|oauth2-?proxy|callback",
            says="the token was issued by {got}, expected was {expected}",
            sample='"Unable to authenticate the request" err="oidc: verify token: oidc: id token issued by a different provider, expected \\"https://accounts.google.com\\" got \\"https://accounts.google.com/\\""',
            near_miss='"Authenticated request" user="aks:jwt:dev"',
        ),
    ),
    why="The issuer URL of the authenticator must be the iss claim to the letter: scheme, host, path and trailing slash.",
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
            "Copy the iss claim of a token into issuer.url exactly.",
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
