from sickbay.model.ids import kube
from sickbay.model.installed import Secret
from sickbay.model.snapshot import Snapshot
from sickbay.model.workloads import Ingress
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

# These are made by a controller, which tells by itself when it cannot.
_MADE_BY_OTHERS = ("cert-manager.io/", "kubernetes.azure.com/tls-cert", "acme.")

_PAIR = ("tls.crt", "tls.key")


@each(Ingress)
def names_absent_secret(ingress: Ingress, snapshot: Snapshot) -> Match | Clear | None:
    names = [tls.secret_name for tls in ingress.spec.tls or () if tls.secret_name]
    is_made = any(note.startswith(_MADE_BY_OTHERS) for note in ingress.annotations)
    if not names or is_made:
        return None
    for name in names:
        secret = snapshot.get(kube("Secret", ingress.namespace, name), Secret)
        lacking = [key for key in _PAIR if secret and secret.keys and key not in secret.keys]
        if secret is None or lacking:
            what = f"has no {' and no '.join(lacking)}" if lacking else "does not exist"
            return Match(
                f"ingress {ingress.namespace}/{ingress.name} takes its certificate from secret {name}, which {what}",
                facts={"secret": name, "ingress": ingress.name},
                cites=(ingress.cite("spec.tls[*].secretName", name),),
            )
    return Clear(f"the secrets of ingress {ingress.namespace}/{ingress.name} exist")


RULE = Rule(
    title="The TLS secret of an ingress or gateway listener is missing or unusable",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY,),
    detect=(
        names_absent_secret,
        Signature(
            pattern=r"local SSL certificate (?P<secret>[\w./-]+) was not found|Error getting SSL certificate \"(?P<certificate>[\w./-]+)\"|Error obtaining X\.509 certificate: |unexpected error (?:creating|storing|generating) SSL|secret \"?(?P<name>[\w./-]+)\"? contains no keypair or CA certificate|\bInvalidCertificateRef\b|Unable to find the secret associated to secretId: \[(?P<wanted>[\w./-]+)\]|\bErrorMalformedSecret\b|\bErrorUnknownSecretType\b|\bSecretNotValid\b|TLS Secret \"(?P<contour>[\w./-]{1,200})\" is invalid: |[Ss]ecret \[?(?P<broken>[\w./-]+)\]? is (?:malformed|not type kubernetes\.io/tls)|Error configuring TLS.{0,80}?secret (?P<lost>[\w./-]+) does not exist|failed to fetch (?:key and|ca) certificate for (?P<sds>[\w:./-]+)|failed to set DER (?:cert|private key)|SSL_use_certificate\(\) failed|cannot find secret (?P<istio>[\w./-]+) (?:and cannot find fallback secret|from cache)|Cannot find secret (?P<citadel>[\w./-]+), searching for fallback|error retrieving secret \S{3,200} from API server: secrets? \"(?P<gone>[\w.-]+)\" not found",
            says="the certificate of a listener was not found or cannot be used",
            sample='W0304 10:02:03.000000       7 controller.go:1419] Error getting SSL certificate "shop/shop-tls": local SSL certificate shop/shop-tls was not found. Using default certificate',
            near_miss='I0304 10:02:03.000000       7 backend_ssl.go:67] "Adding secret to local store" name="shop/shop-tls"',
            # At a start it comes before the secret was read; a reload that succeeds says nothing.
            ended_by=r"(?i)(?:adding|updating) secret (?:\S{1,200} )?(?:to|in) (?:the )?local store",
        ),
        Signature(
            pattern=r"Kubernetes Ingress Controller Fake Certificate",
            says="the ingress controller serves its own default certificate",
            sample="subject: O = Acme Co, CN = Kubernetes Ingress Controller Fake Certificate",
            near_miss="subject: CN = shop.contoso.com",
            weight=TYPICAL,
        ),
    ),
    why="A TLS listener takes its certificate from a secret of type kubernetes.io/tls in its own namespace. While that is missing, misnamed or broken, an ingress controller serves its default certificate, which browsers refuse, and a gateway does not program the listener.",
    remedy=(
        Step(
            "See the secrets of the namespace.",
            run=(
                "kubectl",
                "get",
                "secrets",
                "-n",
                "{namespace}",
                "--field-selector",
                "type=kubernetes.io/tls",
            ),
            risk=Risk.READ,
        ),
        Step(
            "If cert-manager should make it, see why it does not.",
            run=("kubectl", "describe", "certificates,certificaterequests", "-n", "{namespace}"),
            risk=Risk.READ,
        ),
        Step(
            "Create the secret in the namespace of the ingress (for a gateway in another namespace: a ReferenceGrant), or correct secretName.",
            verify="the host serves its own certificate",
        ),
    ),
    docs=(
        "https://kubernetes.io/docs/concepts/services-networking/ingress/",
        "https://gateway-api.sigs.k8s.io/guides/tls/",
    ),
    leads_to=("network.certificate_name_mismatch",),
    ask="kubectl get secrets -n {namespace}",
)
