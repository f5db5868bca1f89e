from sickbay.model.addons import Certificate, ClusterIssuer, Issuer
from sickbay.model.snapshot import Snapshot
from sickbay.rulekit import Category, Clear, Match, Risk, Rule, Severity, Signature, Step, each


@each(Certificate)
def names_no_issuer(certificate: Certificate, snapshot: Snapshot) -> Match | Clear | None:
    asked = certificate.spec.issuer_ref
    if not asked.name or asked.group not in (None, "", "cert-manager.io"):
        return None
    kind = ClusterIssuer if asked.kind == "ClusterIssuer" else Issuer
    if snapshot.get(certificate.issuer, kind) is not None:
        return Clear(f"{kind.kind} {asked.name} exists")
    return Match(
        f"certificate {certificate.namespace}/{certificate.name} names {kind.kind} {asked.name}, which does not exist",
        facts={"issuer": asked.name},
        cites=(certificate.cite("spec.issuerRef.name", asked.name),),
    )


RULE = Rule(
    title="A certificate names an issuer that does not exist",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY,),
    detect=(
        names_no_issuer,
        Signature(
            pattern=r'Referenced "(?P<kind>Cluster)?Issuer" not found|(?:cluster)?issuer\.cert-manager\.io "(?P<issuer>[\w.-]+)" not found|\bIssuerNotFound\b',
            says="the issuer of a certificate is not found",
            sample='Warning  IssuerNotFound  3s  cert-manager-certificaterequests  Referenced "ClusterIssuer" not found: clusterissuer.cert-manager.io "letsencrypt" not found',
            near_miss="Normal  Issuing  3s  cert-manager  The certificate has been successfully issued",
        ),
    ),
    why="issuerRef names an Issuer of the same namespace unless kind is ClusterIssuer; the name is misspelled, the kind left out, or the issuer was never made.",
    remedy=(
        Step(
            "See the issuers.",
            run=(
                "kubectl",
                "get",
                "clusterissuers,issuers",
                "-A",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Correct issuerRef (name and kind), or create the issuer.",
            run=(
                "kubectl",
                "edit",
                "certificate",
                "-n",
                "{namespace}",
            ),
            verify="kubectl get certificate -n {namespace} wants READY True",
        ),
    ),
    docs=("https://cert-manager.io/docs/troubleshooting/",),
    leads_to=("kubernetes.certificate_not_issued",),
    ask="kubectl get issuers,clusterissuers -A -o json",
)
