from sickbay.model.ages import hours_between, looked_at
from sickbay.model.applications import AppSecret
from sickbay.model.kubernetes import Node
from sickbay.model.snapshot import Snapshot
from sickbay.rulekit import (
    TYPICAL,
    Category,
    Clear,
    Match,
    Risk,
    Rule,
    Severity,
    Signature,
    Step,
    each,
)


@each(AppSecret)
def has_ended(secret: AppSecret, snapshot: Snapshot) -> Match | Clear | None:
    """Whether the last secret of an application is over; an old one beside a new one is usual."""
    at = snapshot.once(looked_at)
    if not at:
        snapshot.require(Node)
    of_one = snapshot.grouped(AppSecret, "holder", secret.holder)
    newest = max(of_one, key=lambda one: (one.end_date_time or "", one.id))
    late = hours_between(newest.end_date_time, at)
    if late is None or secret is not newest or secret.is_told_of_twice(snapshot):
        return None
    if late < 0:
        return Clear(f"{newest.name} lasts until {newest.end_date_time}")
    clusters = newest.clusters(snapshot)
    facts = {"cluster": clusters[0].name} if clusters else {}
    return Match(
        f"the last secret, {newest.name}, ended at {newest.end_date_time}",
        facts={"app": newest.app_of(clusters), **facts},
        cites=(newest.cite("endDateTime", newest.end_date_time),),
        at=newest.end_date_time or "",
        subject=clusters[0].ref if clusters else None,
        weight=None if newest.app_id and clusters else TYPICAL,
        # That of an application which nobody uses any more may well be over.
        felt_as=() if clusters else ("aks.operation_failed", "aks.scale_up_failed"),
    )


RULE = Rule(
    title="The client secret or certificate of a service principal (the cluster's, or the caller's) is expired or invalid",
    severity=Severity.ERROR,
    categories=(Category.IDENTITY, Category.UPGRADE, Category.SCALING),
    detect=(
        has_ended,
        Signature(
            pattern=r"\bSPClientSecretTooLongError\b|adal: Refresh request failed\. Status Code = '401'\W{0,3}$|adal: Refresh request failed.{0,120}?\"error\": ?\"invalid_client\"|AADSTS(?:70002(?:22|15|18)|700027|700030|7000229|50012|70002)\b|(?i:credentials in ServicePrincipalProfile were invalid)|(?i:provided client secret keys? (?:for app '?(?P<app>[\w<>-]+)'? )?(?:are|is) expired)|(?i:Invalid client secret (?:is )?provided)|Could not fetch access token for Azure\. (?:Verify|Please verify|Status code)|\bServicePrincipalValidationClientError\b|\bInvalidClientSecret\b|\bInvalidServicePrincipalSecret\w*",
            # The application itself is not there: another rule, another remedy.
            unless=r"AADSTS700(?:016|01)\b",
            says="the client secret of the service principal is not accepted",
            sample='The credentials in ServicePrincipalProfile were invalid. Please see https://aka.ms/aks-sp-help for more details. (Details: adal: Refresh request failed. Status Code = \'401\'. Response body: {"error": "invalid_client", "error_description": "AADSTS7000222: The provided client secret keys for app \'a1\' are expired."})',
            near_miss="The client secret of app 'a1' is valid for 90 days",
        ),
    ),
    why="A cluster that works with a service principal signs in with its client secret, which ends after a year unless it is renewed. Entra ID answers AADSTS7000222 (expired) or AADSTS7000215 (not the secret: often its id instead of its value), and every operation stops there.",
    remedy=(
        Step(
            "See which principal the cluster uses and when its secrets end.",
            run=(
                "az",
                "ad",
                "app",
                "credential",
                "list",
                "--id",
                "{app}",
                "--query",
                "[].endDateTime",
                "-o",
                "tsv",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Make a new secret.",
            run=("az", "ad", "app", "credential", "reset", "--id", "{app}", "--years", "1"),
            risk=Risk.SAFE,
        ),
        Step(
            "Hand it to the cluster; its nodes are reimaged.",
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
                "{app}",
                "--client-secret",
                "<secret>",
            ),
            risk=Risk.DISRUPTIVE,
            verify="az aks show -g {resource_group} -n {cluster} --query provisioningState wants Succeeded",
        ),
        Step(
            "To be rid of secrets, move the cluster to a managed identity.",
            run=(
                "az",
                "aks",
                "update",
                "-g",
                "{resource_group}",
                "-n",
                "{cluster}",
                "--enable-managed-identity",
            ),
            risk=Risk.DISRUPTIVE,
        ),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/error-codes/bad-request-or-invalid-client-secret-error",
        "https://learn.microsoft.com/azure/aks/update-credentials",
    ),
    leads_to=("aks.operation_failed", "aks.scale_up_failed"),
    ask="az aks show -g {resource_group} -n {cluster} --query servicePrincipalProfile.clientId",
)
