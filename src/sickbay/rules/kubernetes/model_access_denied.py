from sickbay.rulekit import Category, Rule, Severity, Signature, Step

RULE = Rule(
    title="A model may not be downloaded: the repository is gated, or the Hugging Face token is missing or invalid",
    severity=Severity.ERROR,
    categories=(Category.WORKLOAD, Category.IDENTITY),
    detect=(
        Signature(
            pattern=r"\bGatedRepoError\b|You are trying to access a gated repo|Cannot access gated repo for url (?P<url>https://\S{1,200})|(?:40[13] Client Error|Invalid credentials).{0,200}?huggingface\.co|Access to model \S{1,120} is restricted|Invalid user token\b.{0,120}?(?i:hugging ?face|HF_TOKEN)",
            says="the model hub refuses the download[: {url}]",
            sample="huggingface_hub.errors.GatedRepoError: 401 Client Error. Cannot access gated repo for url https://huggingface.co/meta-llama/Llama-3.1-8B-Instruct/resolve/main/config.json.",
            near_miss="Downloading https://huggingface.co/microsoft/phi-4/resolve/main/config.json 200",
        ),
    ),
    why="Inference pods (KAITO, vLLM) fetch weights from the Hugging Face hub when they start. For a gated model an account must have accepted its terms, and its token must be in the pod (HF_TOKEN, in KAITO the secret of modelAccessSecret). Without one the hub answers 401 or 403, and the pod restarts.",
    remedy=(
        Step(
            "Accept the terms of the model with the account of the token, on the page of the model.",
        ),
        Step(
            "Put the token into a secret.",
            run=(
                "kubectl",
                "create",
                "secret",
                "generic",
                "hf-token",
                "-n",
                "{namespace}",
                "--from-literal=HF_TOKEN=<token>",
            ),
        ),
        Step(
            "Name it in the workspace (inference.preset.presetOptions.modelAccessSecret) or as environment of the pod.",
            verify="kubectl get workspace -n {namespace} shows INFERENCEREADY True",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/aks/ai-toolchain-operator",),
    leads_to=("kubernetes.program_fails",),
    ask="kubectl logs {pod} -n {namespace} --previous",
)
