from sickbay.model.addons import Certificate
from sickbay.model.snapshot import Snapshot
from sickbay.rulekit import (
    SYMPTOM,
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


@each(Certificate, SYMPTOM)
def is_not_ready(certificate: Certificate, snapshot: Snapshot) -> Match | Clear | None:  # noqa: ARG001
    ready = certificate.ready
    if ready is None or ready.status != "False":
        return Clear(f"certificate {certificate.namespace}/{certificate.name} is ready")
    return Match(
        f"certificate {certificate.namespace}/{certificate.name} is not ready: {ready.reason or ''}".rstrip(
            ": "
        ),
        cites=(certificate.cite("status.conditions[Ready].reason", ready.reason),),
        at=ready.last_transition_time or "",
    )


RULE = Rule(
    title="cert-manager has not issued a certificate (Ready: False)",
    severity=Severity.WARNING,
    categories=(Category.CONNECTIVITY,),
    detect=(
        is_not_ready,
        Signature(
            pattern=r"Issuing certificate as Secret does not exist|Waiting for CertificateRequest .{0,120}? to complete|The certificate request has failed to complete and will be retried|Failed to wait for order resource .{1,160}? to become ready|Waiting on certificate issuance from order",
            says="a certificate is not issued yet",
            sample="Ready: False DoesNotExist: Issuing certificate as Secret does not exist",
            near_miss="Ready: True Ready: Certificate is up to date and has not expired",
            # So begins every issue, also one that ends well.
            unless=r"Certificate must be re-issued|^Issuing certificate as Secret does not exist\W*$",
            weight=SYMPTOM,
            ended_by=r"certificate has been successfully issued|Certificate is up to date and has not expired",
        ),
    ),
    why="A Certificate becomes a secret through a CertificateRequest, for ACME an Order and a Challenge; the last of these that exists says where it stopped.",
    remedy=(
        Step(
            "Follow the chain.",
            run=(
                "kubectl",
                "get",
                "certificate,certificaterequest,order,challenge",
                "-n",
                "{namespace}",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Mend what the last of them names; cert-manager tries again by itself.",
            verify="kubectl get certificate -n {namespace} wants READY True",
        ),
    ),
    leads_to=("network.listener_certificate_missing",),
    docs=("https://cert-manager.io/docs/troubleshooting/",),
)
