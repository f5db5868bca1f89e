from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="During a rollout the Application Gateway still sends requests to pods that have ended (AGIC, 502)",
    severity=Severity.WARNING,
    categories=(Category.CONNECTIVITY,),
    detect=(
        Signature(
            pattern=r"(?i)(?:(?:during|while|on|after|at) (?:each|every|a|the|our)? ?(?:rolling )?(?:deploy\w*|roll ?outs?|(?:rolling )?updates?|pod restarts?)\b.{0,200}?\b50[234]\b.{0,300}?\b(?:AGIC|application gateway)\b|\b(?:AGIC|application gateway)\b.{0,300}?\b50[234]\b.{0,200}?(?:during|while|on|after|at) (?:each|every|a|the|our)? ?(?:rolling )?(?:deploy\w*|roll ?outs?|(?:rolling )?updates?|pod restarts?)\b)",
            says="requests fail for a while whenever pods are replaced",
            sample="During each deployment we see 502 for about 30 seconds, as AGIC takes that long to update the backend pool",
            near_miss="During each deployment AGIC updates the backend pool of the Application Gateway",
            weight=TYPICAL,
        ),
    ),
    why="AGIC writes the addresses of pods into the backend pool through Azure Resource Manager, which takes half a minute and more. A pod that ends at once is still in the pool for that time, and what the gateway sends there fails with 502 (or 504).",
    remedy=(
        Step(
            "Keep old pods alive until the gateway has let go of them: a preStop hook that sleeps for 90 seconds, and a longer terminationGracePeriodSeconds.",
            risk=Risk.SAFE,
            verify="a rollout under load has no 502",
        ),
        Step(
            "Turn on connection draining (appgw.ingress.kubernetes.io/connection-draining), and let new pods be ready before old ones end (maxUnavailable 0).",
            risk=Risk.SAFE,
        ),
        Step(
            "Application Gateway for Containers follows pods within seconds; move where rollouts are frequent."
        ),
    ),
    docs=(
        "https://azure.github.io/application-gateway-kubernetes-ingress/how-tos/minimize-downtime-during-deployments/",
    ),
    leads_to=("aks.app_gateway_backend_unreachable",),
    ask="kubectl get deployment -A -o yaml",
)
