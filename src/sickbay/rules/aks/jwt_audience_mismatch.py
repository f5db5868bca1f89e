from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The API server refuses tokens of an external identity provider: the audience differs",
    severity=Severity.ERROR,
    categories=(Category.IDENTITY,),
    detect=(
        Signature(
            pattern=r'oidc: expected audience "?\[?(?P<expected>[^"\] ]{1,200}).{0,60}?got|(?i:invalid audience|audience claim .{0,60}?(?:mismatch|does not match|not match)).{0,200}?(?:jwt|oidc|issuer)',
            says="the audience of the token is not the configured one",
            sample='"Unable to authenticate the request" err="oidc: verify token: oidc: expected audience \\"my-api\\" got [\\"other-api\\"]"',
            near_miss='"Authenticated request" user="aks:jwt:dev"',
        ),
    ),
    why="A JWT authenticator takes only tokens whose aud claim is one of its audiences; the provider issues them for another client id.",
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
            "Set audiences to what the tokens carry.",
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
