from sickbay.rulekit import SYMPTOM, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The pods of an extension did not become ready in time, so Helm took the extension back",
    severity=Severity.ERROR,
    categories=(Category.CREATION, Category.WORKLOAD),
    detect=(
        Signature(
            pattern=r"(?i)Timed out waiting for the resource to come to a ready/completed state(?:[^:]{0,40}?\w+ is not ready: (?P<object>[\w./-]+[\w-]))?|release (?P<release>[\w.-]+) failed, and has been (?:uninstalled|rolled back) due to atomic being set: (?:timed out waiting|context deadline exceeded)",
            says="pods of the extension were not ready in time",
            sample="Helm installation failed : Timed out waiting for the resource to come to a ready/completed stateDeployment is not ready: flux-system/fluxconfig-agent. 0 out of 1 expected pods are ready",
            near_miss="Helm installation succeeded: all resources came to a ready state",
            # The agents of Arc themselves are no extension.
            unless=r"release azure-arc failed",
            weight=SYMPTOM,
        ),
    ),
    why="Helm waits until every pod of the chart is ready, and removes the release when that takes too long (atomic). Why the pods were not ready is in their events: no node has room, an image is not pulled, a policy forbids them, a volume or a secret is missing, or the program fails.",
    remedy=(
        Step(
            "Create the extension again, and watch its pods and events meanwhile.",
            run=("kubectl", "get", "events", "-A", "--field-selector", "type=Warning"),
            risk=Risk.READ,
        ),
        Step("Mend what the events name, and create the extension once more."),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/extensions/cluster-extension-deployment-errors",
    ),
    leads_to=("arc.extension_failed",),
    ask="kubectl get events -A --field-selector type=Warning",
)
