from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The Application Gateway lacks the frontend address that its ingress controller (AGIC) wants",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY,),
    detect=(
        Signature(
            pattern=r"\bErrorNoP(?:ublic|rivate)IP\b|App(?:li|l)cation Gateway doesn\'t have a (?:public|private) IP|A (?:Public|Private) IP must be present in the Application Gateway FrontendIPConfiguration|requires Application Gateway .{0,80}?has a private IP",
            says="the gateway lacks a frontend address",
            sample='Error:Code="ErrorNoPublicIP" Message="Applcation Gateway doesn\'t have a public IP"',
            near_miss="Application Gateway has a public IP",
        ),
    ),
    why="AGIC builds listeners on the public address of the gateway, or on the private one when usePrivateIP or the annotation use-private-ip asks for it. The gateway has none of that kind, and AGIC stops or skips the ingress.",
    remedy=(
        Step(
            "See the frontends of the gateway.",
            run=(
                "az",
                "network",
                "application-gateway",
                "frontend-ip",
                "list",
                "-g",
                "<group>",
                "--gateway-name",
                "<gateway>",
                "-o",
                "table",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Add the missing address to the gateway, or change usePrivateIP.",
            verify="AGIC applies its configuration",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/application-gateway/ingress-controller-private-ip",),
    ask="az network application-gateway frontend-ip list -g <group> --gateway-name <gateway> -o table",
)
