from sickbay.model.host import ApplianceVm
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


@each(ApplianceVm)
def signer_is_not_trusted(vm: ApplianceVm, snapshot: Snapshot) -> Match | Clear | None:  # noqa: ARG001
    untrusted = [p for p in vm.tried(Role.URL) if p.result == Result.UNTRUSTED]
    if not untrusted:
        return Clear("the appliance VM trusts the certificates of the required URLs")
    first = untrusted[0]
    return Match(
        f"step 4 of the six: what answers the appliance VM for {named(untrusted)} is signed by "
        f"{first.issuer or 'an unknown signer'}, whom it does not trust",
        facts={"host": first.target},
        cites=(vm.cite("probes", first.says),),
        subject=vm.subject,
    )


RULE = Rule(
    title="TLS inspection on the way: the appliance or management machine does not trust the SSL proxy's certificate",
    severity=Severity.ERROR,
    categories=(
        Category.CREATION,
        Category.CONNECTIVITY,
    ),
    detect=(
        signer_is_not_trusted,
        Signature(
            pattern=r"(?i)Not able to connect to https://(?P<host>[\w.-]+).{0,300}?x509: certificate signed by unknown authority",
            says="the certificate of {host} is signed by an authority that the appliance does not trust",
            sample='GuestInternetConnectivityError: Not able to connect to https://msk8s.api.cdp.microsoft.com. Error returned: action failed after 5 attempts: Get "https://msk8s.api.cdp.microsoft.com": tls: failed to verify certificate: x509: certificate signed by unknown authority. Arc Resource Bridge network and internet connectivity validation failed: http-connectivity-test-arc.',
            near_miss="Not able to connect to https://msk8s.api.cdp.microsoft.com. Error returned: i/o timeout",
        ),
        Signature(
            pattern=r"(?i)https://(?P<host>[\w.-]*(?:cdp|delivery\.mp)\.microsoft\.com).{0,300}?x509: certificate signed by unknown authority",
            says="the certificate of {host} is not trusted",
            sample='az arcappliance prepare vmware: Get "https://msk8s.api.cdp.microsoft.com/api/v1.1/contents": tls: failed to verify certificate: x509: certificate signed by unknown authority',
            near_miss='az arcappliance prepare vmware: Get "https://msk8s.api.cdp.microsoft.com/api/v1.1/contents": 200 OK',
        ),
        Signature(
            pattern=r"(?i)(?P<host>[\w-]+\.dp\.kubernetesconfiguration\.azure\.com).{0,300}?(?:http2: server sent GOAWAY|wsarecv: An existing connection was forcibly closed|x509: certificate signed by unknown authority|response ended prematurely)|(?:appliance|connectedk8s|azure-arc|HelmPackage).{0,400}?http2: server sent GOAWAY",
            says="HTTP/2 to {host} is cut off",
            sample='Post "https://canadacentral.dp.kubernetesconfiguration.azure.com/azure-arc-appliance-k8sagents/GetLatestHelmPackagePath?api-version=2019-11-01-preview": read tcp 10.128.131.173:52425->52.228.84.81:443: wsarecv: An existing connection was forcibly closed by the remote host.',
            near_miss='Post "https://canadacentral.dp.kubernetesconfiguration.azure.com/azure-arc-appliance-k8sagents/GetLatestHelmPackagePath": 200 OK',
            weight=TYPICAL,
        ),
    ),
    why="An SSL proxy or a firewall with TLS inspection signs the traffic anew. Either the appliance does not trust its certificate (certificate signed by unknown authority), or HTTP/2 calls to the data plane (http2: server sent GOAWAY, connection forcibly closed) break on it; the proxy must also trust Microsoft's download servers.",
    remedy=(
        Step(
            "See who signed the certificate that arrives.",
            run=(
                "openssl",
                "s_client",
                "-connect",
                "{host}:443",
                "-showcerts",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Exempt the endpoint from inspection, or give the proxy's certificate (one Base-64 .cer file) in the configuration files, and let the proxy trust Microsoft's servers.",
        ),
        Step(
            "Delete what the failed attempt left, correct the configuration files, and deploy again.",
            run=(
                "az",
                "arcappliance",
                "delete",
                "<fabric>",
                "--config-file",
                "<name>-appliance.yaml",
            ),
            risk=Risk.DESTRUCTIVE,
            verify="az arcappliance show -g {resource_group} -n {name} --query status wants Running",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/azure-arc/resource-bridge/network-requirements",
        "https://learn.microsoft.com/azure/azure-arc/resource-bridge/troubleshoot-resource-bridge",
    ),
    leads_to=(
        "arc.kva_timeout",
        "arc.kva_step_fails",
        "arc.url_unreachable",
    ),
    ask="openssl s_client -connect {host}:443 -showcerts",
)
