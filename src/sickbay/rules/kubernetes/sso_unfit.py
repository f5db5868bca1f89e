from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A web program in the cluster cannot sign users in: its OIDC issuer, client or redirect address does not fit",
    severity=Severity.ERROR,
    categories=(Category.IDENTITY, Category.WORKLOAD),
    detect=(
        Signature(
            pattern=r"Failed to query provider \"(?P<issuer>https?://[^\"]{3,200})\"|AADSTS50011\b|(?i:Error redeeming code during OAuth2 callback)|login\.OAuthLogin\(NewTransportWithCode\)|\bredirect_uri_mismatch\b|AADSTS700016\b.{0,400}?(?i:callback|oauth2?[-_ ]proxy|grafana|argo)|could not verify id_token: |failed to verify the token: .{0,120}?issued by a different provider|Invalid parameter: redirect_uri|\binvalid_redirect_uri\b|Failed to get auth request: not found|Unregistered redirect_uri",
            says="a sign-in by OIDC fails[ with the issuer {issuer}]",
            sample='Failed to query provider "https://login.microsoftonline.com/0f1e2d3c-0000-0000-0000-000000000000/v2.0": oidc: issuer did not match the issuer returned by provider',
            near_miss='Initialized provider "https://login.microsoftonline.com/0f1e2d3c-0000-0000-0000-000000000000/v2.0"',
            weight=TYPICAL,
        ),
    ),
    why="Argo CD, Grafana, oauth2-proxy and their like send the user to an identity provider and check what comes back. The issuer in their configuration must be, to the letter, the one that the provider states (tenant id, /v2.0, slash at the end), and the client must be registered there with the very address to which the user returns.",
    remedy=(
        Step(
            "Compare the configured issuer with what the provider says of itself.",
            run=(
                "curl",
                "-s",
                "https://login.microsoftonline.com/<tenant>/v2.0/.well-known/openid-configuration",
            ),
            risk=Risk.READ,
            verify="its issuer is the same as in the configuration of the program",
        ),
        Step(
            "See the return addresses that are registered for the client.",
            run=(
                "az",
                "ad",
                "app",
                "show",
                "--id",
                "<client-id>",
                "--query",
                "[web.redirectUris,spa.redirectUris]",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Correct issuer, client id and secret in the configuration, or register the address under which users really come (https, host and path as in the ingress), and restart the program.",
        ),
    ),
    docs=(
        "https://argo-cd.readthedocs.io/en/stable/operator-manual/user-management/microsoft/",
        "https://learn.microsoft.com/entra/identity-platform/reply-url",
    ),
    leads_to=("kubernetes.argo_user_forbidden",),
    ask="kubectl logs {pod} -n {namespace} --all-containers --tail=100",
)
