from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="An Azure Machine Learning job waits: no node offers what its instance type asks for",
    severity=Severity.ERROR,
    categories=(Category.SCALING, Category.WORKLOAD),
    detect=(
        Signature(
            pattern=r"(?i)Job is waiting for available resources, that required for (?P<count>\d+) instances? with (?P<wanted>[\d.]+ vCPU\(s\), [\d.]+ GB memory and \d+ GPU\(s\))(?:\. The best-fit compute can only provide (?P<offered>[\d.]+ vCPU\(s\), [\d.]+ GB memory and \d+ GPU\(s\)))?",
            says="the job wants {count} x {wanted}[, and at most {offered} is offered]",
            sample="Queue Information : Job is waiting for available resources, that required for 1 instance with 0.60 vCPU(s), 1.50 GB memory and 0 GPU(s). The best-fit compute can only provide 0.00 vCPU(s), 0.00 GB memory and 0 GPU(s).",
            near_miss="Job was scheduled on 1 instance with 0.60 vCPU(s), 1.50 GB memory and 0 GPU(s)",
            weight=TYPICAL,
        ),
    ),
    why="The extension places each job on a node that has the vCPU, memory and GPU of the instance type free, and counts only nodes that match its nodeSelector. Where it offers 0.00 although nodes are idle, it sees none: labels that do not match, taints, or an extension whose controllers do not run; where it offers enough, room was lost meanwhile to other pods.",
    remedy=(
        Step(
            "See what the instance types ask for.",
            run=("kubectl", "get", "instancetypes.amlarc.azureml.com", "-A", "-o", "yaml"),
            risk=Risk.READ,
        ),
        Step(
            "See the labels and the free room of the nodes, and whether the controllers of the extension run.",
            run=("kubectl", "describe", "nodes"),
            risk=Risk.READ,
        ),
        Step(
            "Choose a smaller instance type, correct its nodeSelector, or add nodes.",
            verify="kubectl get pods -n azureml wants Running",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/machine-learning/how-to-manage-kubernetes-instance-types",
        "https://learn.microsoft.com/azure/machine-learning/how-to-troubleshoot-kubernetes-compute",
    ),
    ask="kubectl get instancetypes.amlarc.azureml.com -A -o yaml",
)
