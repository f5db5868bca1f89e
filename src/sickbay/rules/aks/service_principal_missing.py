from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The service principal or identity does not exist in the tenant",
    severity=Severity.ERROR,
    categories=(Category.IDENTITY, Category.CREATION),
    detect=(
        Signature(
            pattern=r"\bServicePrincipalNotFoundTimedoutError\b|\bServicePrincipalNotFound\b|AADSTS700(?:016|01)\b|(?i:Cannot find user or service principal in graph database|No matches in graph database for)|(?i:service principal (?:clientID|client id|id)?:? ?'?(?P<app>[\w-]+)'? ?(?:was )?not found)|(?i:principal \S{1,60} does not exist in the directory)|\bPrincipalNotFound\b|(?i:at least one of the claims 'puid' or 'altsecid' or 'oid' should be present)|(?i:Could not find service principal or user assigned MSI)|(?i:Identity\(object id: [\w-]+\) (?:was )?not found)",
            says="the identity was not found in the directory",
            sample="ServicePrincipalNotFound: Service principal clientID: a1b2-c3 not found in Active Directory tenant t1, Please see https://aka.ms/aks-sp-help for more details.",
            near_miss="Service principal clientID: a1b2-c3 found in Active Directory tenant t1",
        ),
    ),
    why="The application or identity (`ServicePrincipalNotFound`, `PrincipalNotFound`) was deleted, belongs to another tenant, or was made a moment ago and has not reached every directory replica yet: then the request came too early, and a retry succeeds.",
    remedy=(
        Step(
            "See whether it exists.",
            run=("az", "ad", "sp", "show", "--id", "<app-id>"),
            risk=Risk.READ,
        ),
        Step(
            "If it is new, wait ten minutes and repeat. If it is gone, make another and hand it to the cluster.",
            run=(
                "az",
                "aks",
                "update-credentials",
                "-g",
                "{resource_group}",
                "-n",
                "{cluster}",
                "--reset-service-principal",
                "--service-principal",
                "<app-id>",
                "--client-secret",
                "<secret>",
            ),
            risk=Risk.DISRUPTIVE,
            verify="az aks show -g {resource_group} -n {cluster} --query provisioningState wants Succeeded",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/create-upgrade-delete/missing-or-invalid-service-principal",
    ),
    leads_to=("aks.operation_failed",),
    ask="az aks show -g {resource_group} -n {cluster} --query [servicePrincipalProfile,identity]",
)
