from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A database accepts only encrypted connections, and the program asks without TLS",
    severity=Severity.ERROR,
    categories=(
        Category.CONNECTIVITY,
        Category.WORKLOAD,
    ),
    detect=(
        Signature(
            pattern=r"SSL connection is required|Connections using insecure transport are prohibited",
            says="the database wants an encrypted connection",
            sample="ERROR 9002 (28000): SSL connection is required. Please specify SSL options and retry.",
            near_miss="SSL connection established",
        ),
        Signature(
            pattern=r"no pg_hba\.conf entry for host .{3,200}?(?:SSL off|no encryption)|pg_hba\.conf rejects connection for host .{3,200}?(?:SSL off|no encryption)|pooler error: SSL required|FATAL: SSL required",
            says="the database admits this client only with encryption",
            sample='FATAL: no pg_hba.conf entry for host "10.1.2.3", user "app", database "shop", no encryption',
            near_miss='FATAL: no pg_hba.conf entry for host "10.1.2.3", user "app", database "shop", SSL encryption',
            weight=TYPICAL,
        ),
    ),
    why="The server demands TLS (require_secure_transport, no pg_hba.conf entry … no encryption). The program, its driver or its connection string does not ask for it, or offers a version that is too old.",
    remedy=(
        Step(
            "Set sslmode=require (PostgreSQL), useSSL or ssl-mode=REQUIRED (MySQL) in the connection string."
        ),
        Step(
            "Look at the setting of the server.",
            run=(
                "az",
                "postgres",
                "flexible-server",
                "parameter",
                "show",
                "-g",
                "<group>",
                "-s",
                "<server>",
                "-n",
                "require_secure_transport",
            ),
            risk=Risk.READ,
        ),
    ),
    leads_to=("kubernetes.program_fails",),
    docs=(
        "https://learn.microsoft.com/azure/postgresql/flexible-server/concepts-networking-ssl-tls",
    ),
    ask="az postgres flexible-server parameter show -g <group> -s <server> -n require_secure_transport",
)
