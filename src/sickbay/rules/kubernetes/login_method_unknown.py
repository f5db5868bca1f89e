from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A program does not know the login method that its database or broker wants (plugin, SCRAM, SASL)",
    severity=Severity.ERROR,
    categories=(Category.WORKLOAD, Category.CONNECTIVITY),
    detect=(
        Signature(
            pattern=r"ER_NOT_SUPPORTED_AUTH_MODE|does not support authentication protocol requested by server|Authentication plugin '(?P<plugin>\w{3,60})' (?:cannot be loaded|is not loaded|reported error: Authentication requires secure)|[Pp]lugin (?:caching_sha2_password|mysql_native_password) (?:could not be loaded|is not loaded)|SCRAM authentication requires libpq version 10|The authentication type \d+ is not supported|[Uu]nsupported SASL mechanism|SASL mechanism '?(?P<mechanism>[\w-]{3,40})'? (?:is )?not (?:enabled|supported)|Server asked for \S{3,60} authentication, which is not supported|(?i:Public Key Retrieval is not allowed)",
            says="client and server have no login method in common[: {plugin}][: {mechanism}]",
            sample="Error: ER_NOT_SUPPORTED_AUTH_MODE: Client does not support authentication protocol requested by server; consider upgrading MySQL client",
            near_miss="ERROR 1045 (28000): Access denied for user 'shop'@'10.244.1.7'",
        ),
    ),
    why="The server was reached, and it wants the password in a way that the client does not speak: caching_sha2_password of MySQL 8, SCRAM-SHA-256 of PostgreSQL 14, or a SASL mechanism that the listener of Kafka does not have. The driver is too old, or its settings name another method than the server.",
    remedy=(
        Step(
            "See what the server wants: its log, or the settings of the user and of the listener.",
            risk=Risk.READ,
        ),
        Step(
            "Bring the driver up to date (for MySQL over an unencrypted connection also allowPublicKeyRetrieval, or better TLS), or set the mechanism that the server has.",
            risk=Risk.DISRUPTIVE,
            verify="the program connects",
        ),
    ),
    docs=(
        "https://dev.mysql.com/doc/refman/8.0/en/caching-sha2-pluggable-authentication.html",
        "https://kafka.apache.org/documentation/#security_sasl",
    ),
    leads_to=("kubernetes.program_fails", "kubernetes.login_refused"),
    ask="kubectl logs {pod} -n {namespace} --all-containers --previous",
)
