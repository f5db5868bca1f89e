from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="ASO cannot sign in to the database server to manage its users: login failed, access denied, wrong password",
    severity=Severity.ERROR,
    categories=(
        Category.IDENTITY,
        Category.CREATION,
    ),
    detect=(
        Signature(
            pattern=r"(?:failed to connect database|error pinging the \w+ db|failed to (?:get|create|update|delete) (?:\w+ )?user|UserController|dbfor(?:mysql|postgresql)_user|sql_user).{0,600}?(?:Error 1045|Access denied for user '(?P<user>[^']{1,80})|password authentication failed for user \W{0,2}(?P<pguser>[\w.@-]+)|[Ll]ogin failed for user '?(?P<sqluser>[^'. ]{1,80})|Login error: mssql|The access token has expired|role \W{0,2}[\w.@-]+\W{0,2} does not exist|principal .{0,80}? (?:is not|could not be) found)",
            says="the database refuses the administrator that ASO uses[ ({user})]",
            sample="Reason: Failed, Severity: Warning, RetryClassification: RetrySlow, Cause: failed to connect database. Server: m1.mysql.database.azure.com, Database: mysql, Port: 3306, AdminUser: admin1: error pinging the mysql db (m1.mysql.database.azure.com:3306/mysql): Error 1045: Access denied for user 'admin1'@'20.1.2.3' (using password: YES)",
            near_miss="connected to database m1.mysql.database.azure.com as admin1",
        ),
        Signature(
            pattern=r"failed to connect database\. Server: (?P<server>[\w.-]+)",
            says="ASO cannot connect to {server}",
            sample="failed to connect database. Server: pg1.postgres.database.azure.com, Database: postgres, Port: 5432, AdminUser: admin1: the teapot is not in the mood",
            near_miss="connected to database. Server: pg1.postgres.database.azure.com",
            weight=TYPICAL,
            unless=r"pg_hba|is not allowed to (?:access|connect)|no such host|i/o timeout|connection refused|Deny Public Network|public (?:network )?access",
        ),
    ),
    why="User objects of ASO (dbformysql, dbforpostgresql, sql) are not made over ARM: the controller opens a connection to the server itself, with the local administrator from the secret or, for Entra users, with its own identity as Entra administrator. The server refuses that login: the password in the secret is not the one of the server (it was changed afterwards), the Entra administrator is another identity than the one of ASO, or the name is spelt differently.",
    remedy=(
        Step(
            "See who the Entra administrator of the server is (MySQL: az mysql flexible-server ad-admin list; SQL: az sql server ad-admin list).",
            run=(
                "az",
                "postgres",
                "flexible-server",
                "ad-admin",
                "list",
                "-g",
                "{resource_group}",
                "-s",
                "<server>",
                "-o",
                "table",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Set the administrator password of the server to the value in the secret, or make the identity of ASO the Entra administrator; spec.localUser.serverAdminUsername must be the administrator of the server.",
            verify="kubectl get azure -n {namespace} wants READY True",
        ),
    ),
    docs=(
        "https://azure.github.io/azure-service-operator/reference/dbformysql/",
        "https://learn.microsoft.com/azure/mysql/flexible-server/how-to-azure-ad",
    ),
    leads_to=("kubernetes.login_refused", "aso.not_ready"),
    ask="az postgres flexible-server ad-admin list -g {resource_group} -s <server> -o table",
)
