from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A claim mapping or validation of an external identity provider is invalid (CEL expression, aks:jwt: prefix)",
    severity=Severity.ERROR,
    categories=(Category.IDENTITY,),
    detect=(
        Signature(
            pattern=r"(?i)(?:claimMappings|claim ?mapping|claimValidationRules|userValidationRules).{0,300}?(?:invalid|error|must|failed|compil|no such key|not allowed)|oidc: error evaluating (?:username|groups|uid|extra|claim|user) .{0,60}?(?:claim )?(?:expression|validation)|must (?:start with|be prefixed with|have) .{0,20}?aks:jwt:",
            says="a claim mapping is not valid",
            sample="(BadRequest) claimMappings.username.expression: compilation failed: ERROR: undeclared reference to claim",
            near_miss="claimMappings.username.expression: ok",
            weight=TYPICAL,
        ),
    ),
    why="The username expression must give a string and the groups expression a list of strings, both with the prefix aks:jwt:; a claim that the token does not carry, or another type, makes the token invalid.",
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
            "Correct the expression: \"'aks:jwt:' + claims.sub\" for the username, a list for the groups.",
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
