from sickbay.model.addons import CertManaged, ClusterIssuer, Issuer
from sickbay.model.snapshot import Snapshot
from sickbay.rulekit import Category, Clear, Match, Risk, Rule, Severity, Signature, Step, each


@each(Issuer)
def issuer_waits(issuer: Issuer, snapshot: Snapshot) -> Match | Clear | None:  # noqa: ARG001
    return _judge(issuer)


@each(ClusterIssuer)
def cluster_issuer_waits(issuer: ClusterIssuer, snapshot: Snapshot) -> Match | Clear | None:  # noqa: ARG001
    return _judge(issuer)


def _judge(issuer: CertManaged) -> Match | Clear:
    ready = issuer.ready
    if ready is None or ready.status != "False":
        return Clear(f"{issuer.kind} {issuer.name} is ready")
    return Match(
        f"{issuer.kind} {issuer.name} is not ready: {ready.reason or 'no reason given'}",
        cites=(issuer.cite("status.conditions[Ready].reason", ready.reason),),
        at=ready.last_transition_time or "",
    )


RULE = Rule(
    title="An issuer of cert-manager is not ready, so nothing is issued by it",
    severity=Severity.ERROR,
    categories=(
        Category.CONNECTIVITY,
        Category.IDENTITY,
    ),
    detect=(
        issuer_waits,
        cluster_issuer_waits,
        Signature(
            pattern=r'Referenced "?(?:Cluster)?Issuer"? (?:does not have a Ready status condition|is not ready)|Issuer [\w.-]{1,100} not ready|ErrRegisterACMEAccount|Failed to (?:register|verify|update) ACME account|\bIssuerNotReady\b|ErrInitIssuer|ErrGetKeyPair',
            says="an issuer is not ready",
            sample="Warning  ErrRegisterACMEAccount  3s  cert-manager-clusterissuers  Failed to register ACME account: 400 urn:ietf:params:acme:error:invalidContact: contact email is invalid",
            near_miss="Normal  ACMEAccountRegistered  3s  The ACME account was registered with the ACME server",
        ),
    ),
    why="An issuer is ready when its account is registered with the ACME server, or its key pair or vault was read; the server is not reachable from the cluster, the e-mail or secret is wrong, or the key is missing.",
    remedy=(
        Step(
            "Read its condition.",
            run=(
                "kubectl",
                "describe",
                "clusterissuer",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Allow egress to the ACME server on 443, or correct the secret and the address that it names.",
            verify="kubectl get clusterissuer wants READY True",
        ),
    ),
    docs=("https://cert-manager.io/docs/troubleshooting/",),
    leads_to=("kubernetes.certificate_not_issued",),
    ask="kubectl get issuers,clusterissuers -A -o json",
)
