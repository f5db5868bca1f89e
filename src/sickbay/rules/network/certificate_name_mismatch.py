from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A server shows a certificate for other names than the one it was asked by",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY,),
    detect=(
        Signature(
            pattern=r"x509: certificate is (?:valid for (?P<names>[^:\"]{1,200}), not (?P<host>[\w.*-]+)|not valid for any names)|no alternative certificate subject name matches target host name '?(?P<target>[\w.-]+)|Hostname/IP does not match certificate's altnames|Hostname (?P<okhttp>[\w.-]+) not verified: |hostname '(?P<name>[\w.-]+)' doesn't match|No subject alternative (?:DNS )?names? (?:matching|present)|certificate verify failed: (?:Hostname|IP address) mismatch|\bRemoteCertificateNameMismatch\b|doesn't match any of the subject alternative names|upstream SSL certificate does not match|relies on legacy Common Name field|does not contain a Common Name or Subject Alternative Name for server|ERR_TLS_CERT_ALTNAME_INVALID|\b(?:ERR_CERT_COMMON_NAME_INVALID|SSL_ERROR_BAD_CERT_DOMAIN)\b|certificate subject name .{1,120}? does not match target host|x509: cannot validate certificate for (?P<address>[\d.]+) because it doesn't contain any IP SANs",
            says="the certificate of a server does not carry the name by which it was asked",
            sample="curl: (60) SSL: no alternative certificate subject name matches target host name 'shop.contoso.com'",
            near_miss="curl: (60) SSL certificate problem: self signed certificate",
            unless=r"failed calling (?:admission )?webhook|Unable to connect to the server|vcenter|/v2/",
            weight=TYPICAL,
            passes=True,
            common=True,
        ),
    ),
    why="The certificate that the server showed is issued for other names: the ingress serves its default certificate because no TLS secret fits the host, the name leads to another server than meant, or a client uses an address or a short name that the certificate does not carry (kubelets and databases often have no address in theirs).",
    remedy=(
        Step(
            "See which names the certificate has.",
            run=("openssl", "s_client", "-connect", "{host}:443", "-servername", "{host}"),
            risk=Risk.READ,
        ),
        Step(
            "Ask by a name that it carries, or have it issued again with the missing name among its DNS names."
        ),
        Step(
            "At an ingress: name the host and its secret under spec.tls.",
            verify="the same request is accepted",
        ),
    ),
    docs=("https://kubernetes.io/docs/concepts/services-networking/ingress/",),
    ask="openssl s_client -connect {host}:443 -servername {host}",
)
