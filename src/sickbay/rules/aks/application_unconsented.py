from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The sign-in asks for an application that the tenant does not know or has not consented to",
    severity=Severity.ERROR,
    categories=(Category.IDENTITY,),
    detect=(
        Signature(
            pattern=r"AADSTS(?:65001|650052|650053|650056|650057|500011|50001|65004|65005|90094|90097|50011|900971|7000112|700051)\b|(?i:has not consented to use the application)|(?i:resource principal named (?P<resource>[\w:./-]+) was not found in the tenant)",
            says="Entra ID gives no token for that application in this tenant",
            sample="AADSTS500011: The resource principal named api://6dae42f8 was not found in the tenant named Contoso. This can happen if the application has not been installed by the administrator of the tenant or consented to by any user in the tenant.",
            near_miss="The administrator has consented to use the application",
        ),
    ),
    why="A token is always for one resource (server application) and one client application. Either is missing in the tenant, disabled, has another reply address, or nobody consented to it: mostly a wrong server id or tenant in the kubeconfig or in the request for the token.",
    remedy=(
        Step(
            "See whether the tenant has the application that the message names.",
            run=("az", "ad", "sp", "show", "--id", "<application-id>"),
            risk=Risk.READ,
        ),
        Step(
            "For kubectl: fetch the kubeconfig anew, so that server id, client id and tenant are AKS's own.",
            run=(
                "az",
                "aks",
                "get-credentials",
                "-g",
                "{resource_group}",
                "-n",
                "{cluster}",
                "--overwrite-existing",
            ),
            risk=Risk.SAFE,
        ),
        Step(
            "For an application of your own: let an administrator consent to it, and correct scope and reply address."
        ),
    ),
    docs=("https://learn.microsoft.com/entra/identity-platform/reference-error-codes",),
    leads_to=("kubernetes.kubeconfig_rejected", "aks.operation_failed"),
    ask="az ad sp show --id <application-id>",
)
