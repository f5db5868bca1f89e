from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A database, cache or service answers too late for the program that calls it (read timeout)",
    severity=Severity.ERROR,
    categories=(
        Category.CONNECTIVITY,
        Category.WORKLOAD,
    ),
    detect=(
        Signature(
            pattern=r"Execution Timeout Expired\. ?|Win32Exception \(258\)|RedisTimeoutException: |CosmosException.{0,120}?RequestTimeout|Timeout performing \w+ .{0,80}?\(\d+ms\)|ServiceBusException: .{0,80}?did not complete within the allocated time|\(ServiceTimeout\)|SocketTimeoutException: (?:Read timed out|timeout)|Read timed out executing|StatusCode\.DEADLINE_EXCEEDED|StatusRuntimeException: DEADLINE_EXCEEDED|\bESOCKETTIMEDOUT\b|timeout of \d+ms exceeded|timeout awaiting response headers|Timeout during reading attempt|Operation timed out after \d+ milliseconds with|ReadTimeoutException|net\.ReadTimeout|Net::ReadTimeout|requests\.exceptions\.ReadTimeout",
            says="a call got no answer in time",
            sample="Microsoft.Data.SqlClient.SqlException (0x80131904): Execution Timeout Expired.  The timeout period elapsed prior to completion of the operation or the server is not responding.",
            near_miss="the operation completed in 12ms",
            weight=TYPICAL,
            passes=True,
        ),
    ),
    why="The connection stands, but the answer does not come within the client's patience: the server is overloaded or runs a slow query, a connection was silently dropped on the way (idle timeout of load balancer, NAT or firewall after 4 minutes), or the pod itself is short of CPU or threads.",
    remedy=(
        Step(
            "See whether the pod or node is throttled.",
            run=("kubectl", "top", "pods", "-A", "--sort-by=cpu"),
            risk=Risk.READ,
        ),
        Step(
            "See load, slow queries and throttling of the called service in its own metrics.",
        ),
        Step(
            "Set keepalive below the idle timeout of what lies between (4 minutes by default), and retry with a new connection.",
            verify="the client logs no timeout for an hour",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/load-balancer/load-balancer-tcp-idle-timeout",
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/connectivity/tcp-timeouts-kubetctl-third-party-tools-connect-api-server",
    ),
    leads_to=("kubernetes.program_fails",),
    ask="kubectl top pods -A --sort-by=cpu",
    vague=True,
)
