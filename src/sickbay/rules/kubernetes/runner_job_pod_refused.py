from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A GitHub runner in Kubernetes mode cannot make or start the pod of its job (container hook)",
    severity=Severity.ERROR,
    categories=(Category.WORKLOAD,),
    detect=(
        Signature(
            pattern=r"Executing the custom container implementation failed|failed to create job pod: (?P<fault>.{3,160})|Pod failed to come online with error|failed to create container step: (?P<step>.{3,160})|Jobs without a job container are forbidden on this runner",
            says="the pod of a job was not made",
            sample="Error: Error: failed to create job pod: HttpError: HTTP request failed",
            near_miss="Created job pod linux-x-runner-abc-workflow",
            weight=TYPICAL,
        ),
    ),
    why="With containerMode kubernetes the runner does not run the job itself: its hook makes a second pod (name-workflow) on the same node with the work volume. The service account of the runner may not make pods, a policy, quota or pod security level refuses it, the work volume cannot be shared, the image is wrong, or the workflow names no container.",
    remedy=(
        Step(
            "See what the namespace says of the pod of the job.",
            run=("kubectl", "get", "events", "-n", "{namespace}", "--sort-by=.lastTimestamp"),
            risk=Risk.READ,
        ),
        Step(
            "See whether the runner may make pods.",
            run=(
                "kubectl",
                "auth",
                "can-i",
                "create",
                "pods",
                "-n",
                "{namespace}",
                "--as=system:serviceaccount:{namespace}:<runner-account>",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Correct what they name: the role of the runner, the policy, the claim template of the work volume, the image; give the job a container, or set ACTIONS_RUNNER_REQUIRE_JOB_CONTAINER=false.",
        ),
    ),
    docs=(
        "https://docs.github.com/actions/hosting-your-own-runners/managing-self-hosted-runners-with-actions-runner-controller/deploying-runner-scale-sets-with-actions-runner-controller",
    ),
    leads_to=("kubernetes.program_fails",),
    ask="kubectl get events -n {namespace} --sort-by=.lastTimestamp",
)
