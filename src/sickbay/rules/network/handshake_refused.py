from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="Client and server agree on no TLS version, cipher or server name (handshake failure)",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY,),
    detect=(
        Signature(
            pattern=r"SSL routines:\w*:(?:unsupported protocol|no protocols available|tlsv1 unrecognized name|unsafe legacy renegotiation disabled|dh key too small|sslv3 alert handshake failure|no suitable signature algorithm)|tls: protocol version not supported|\bno peer certificate available\b|SSL handshake has read 0 bytes|ERR_SSL_VERSION_OR_CIPHER_MISMATCH|ssl_choose_client_version:unsupported protocol|SSL_ERROR_UNSUPPORTED_VERSION|EPROTO .{0,80}?handshake failure|remote error: tls: (?:handshake failure|unrecognized name|protocol version not supported)|(?i:alert (?:handshake failure|protocol version|unrecognized name))|Received fatal alert: (?:handshake_failure|protocol_version|unrecognized_name)|\b(?:SSLV3_ALERT_HANDSHAKE_FAILURE|TLSV1_ALERT_PROTOCOL_VERSION|UNSUPPORTED_PROTOCOL|NO_SHARED_CIPHER)\b|tls: (?:server selected unsupported protocol version|no cipher suite supported by both|no supported versions satisfy)|No appropriate protocol \(protocol is disabled|server selected protocol version \S{1,20} is not accepted by client preferences|unsupported protocol\)|(?i:no shared cipher)",
            says="the TLS handshake is refused",
            sample="curl: (35) error:14094410:SSL routines:ssl3_read_bytes:sslv3 alert handshake failure",
            near_miss="SSL connection using TLSv1.3",
            weight=TYPICAL,
            unless=r"azmk8s|proxyconnect",
        ),
    ),
    why="The server ended the TLS handshake before any certificate was looked at: one side offers only old versions or ciphers, or the name in the request (SNI) is one that the server does not serve.",
    remedy=(
        Step(
            "See which versions and names the server takes.",
            run=(
                "openssl",
                "s_client",
                "-connect",
                "<host>:443",
                "-servername",
                "<host>",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Update the runtime of the client, or allow TLS 1.2 and a common cipher on the server or gateway; send the right server name."
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/application-gateway/application-gateway-ssl-policy-overview",
    ),
    ask="openssl s_client -connect <host>:443 -servername <host>",
)
