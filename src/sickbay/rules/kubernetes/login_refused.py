from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A database or broker refuses the user or password of a program",
    severity=Severity.ERROR,
    categories=(Category.WORKLOAD, Category.IDENTITY),
    detect=(
        Signature(
            pattern=r"password authentication failed for user \"?(?P<user>[\w@.-]+)|Access denied for user '(?P<name>[\w.-]+)'@|Login failed for user '(?P<login>[^']{1,100})'|ACCESS_REFUSED - Login was refused|WRONGPASS invalid username-password|NOAUTH Authentication required|MongoServerError: (?:bad auth|Authentication failed)|Host '(?P<host>[\w.-]+)' is not allowed to connect to this (?:MySQL|MariaDB) server|SASL authentication failed|SaslAuthenticationException|SASL(?:/\w+)? authentication error|unable to authenticate user \[(?P<elastic>[^\]]{1,100})\]|server login has been failing|FATAL:? permission denied for database",
            says="a program was refused by user and password",
            sample='FATAL:  password authentication failed for user "app"',
            near_miss='FATAL:  database "shop" does not exist',
            common=True,
        ),
    ),
    why="The server was reached and refused the credentials: the secret holds an old or wrong password, was changed without restarting the pods that read it as environment, or the user does not exist there.",
    remedy=(
        Step(
            "See from which secret the program takes them.",
            run=("kubectl", "get", "pod", "{pod}", "-n", "{namespace}", "-o", "yaml"),
            risk=Risk.READ,
        ),
        Step(
            "Bring secret and server into agreement, then restart the workload.",
            run=("kubectl", "rollout", "restart", "<workload>", "-n", "{namespace}"),
            risk=Risk.DISRUPTIVE,
            verify="the program connects",
        ),
    ),
    docs=("https://kubernetes.io/docs/concepts/configuration/secret/",),
    leads_to=(
        "kubernetes.log_shipping_fails",
        "kubernetes.program_fails",
    ),
    ask="kubectl logs {pod} -n {namespace}",
)
