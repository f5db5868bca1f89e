from sickbay.model.host import ManagementMachine
from sickbay.model.probe import Result, Role, named
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


@each(ManagementMachine)
def signer_is_not_trusted(machine: ManagementMachine, snapshot: Snapshot) -> Match | Clear | None:  # noqa: ARG001
    tried = machine.tried(Role.URL)
    untrusted = [probe for probe in tried if probe.result == Result.UNTRUSTED]
    if not untrusted:
        return Clear("this machine trusts the certificates of the required URLs")
    first = untrusted[0]
    return Match(
        f"what answers for {named(untrusted)} is signed by {first.issuer or 'an unknown signer'}, "
        f"whom this machine does not trust ({first.detail})",
        cites=(machine.cite("probes", first.says),),
        subject=machine.subject,
    )


RULE = Rule(
    title="This machine does not trust the certificate that arrives: TLS is intercepted by a proxy",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY,),
    detect=(
        signer_is_not_trusted,
        Signature(
            pattern=r"(?i:azure|microsoft|windows\.net|live\.com|\baz\b|pypi|pythonhosted|HTTPSConnectionPool).{0,600}?\bCERTIFICATE_VERIFY_FAILED\b|CERTIFICATE_VERIFY_FAILED.{0,400}?(?i:azure|microsoft|\baz\b)|(?i:azure|microsoft|windows\.net|\baz\b|HTTPSConnectionPool).{0,600}?\bSSL routines\W{1,4} \W?\w*'?, \W?certificate verify failed|Unable to (?:pull|export) .{0,60}?helm charts? .{0,400}?x509: certificate signed by unknown authority|failed to get token: .{0,400}?x509: certificate signed by unknown authority|(?i:Certificate verification failed\. This typically happens when using Azure CLI behind a proxy)",
            says="the certificate is not trusted",
            sample="Certificate verification failed. This typically happens when using Azure CLI behind a proxy that intercepts traffic with a self-signed certificate. [SSL: CERTIFICATE_VERIFY_FAILED] certificate verify failed: unable to get local issuer certificate (_ssl.c:1007)",
            near_miss="Certificate verification succeeded",
            weight=TYPICAL,
            # The certificate of an API server is signed by its own cluster.
            unless=r"port=\d{2,5}\): Max retries exceeded with url: /apis?/",
        ),
    ),
    why="A proxy or firewall signs TLS connections with its own certificate. The Azure CLI brings its own list of authorities and refuses it (CERTIFICATE_VERIFY_FAILED, self signed certificate in certificate chain) until REQUESTS_CA_BUNDLE names a bundle that contains the proxy's.",
    remedy=(
        Step(
            "See who signed it.",
            run=(
                "openssl",
                "s_client",
                "-connect",
                "management.azure.com:443",
                "-showcerts",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Add the proxy's certificate to a bundle and name it in REQUESTS_CA_BUNDLE, or exempt Azure's hosts from inspection.",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/cli/azure/use-azure-cli-successfully-troubleshooting#work-behind-a-proxy",
    ),
    ask="openssl s_client -connect management.azure.com:443 -showcerts",
    leads_to=(
        "arc.chart_pull_blocked",
        "host.helm_unusable",
        "arc.kva_step_fails",
        "kubernetes.kubeconfig_rejected",
    ),
)
