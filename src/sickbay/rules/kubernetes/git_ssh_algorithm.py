from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The Git server refuses the old SSH algorithm ssh-rsa: the client must use rsa-sha2",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY, Category.WORKLOAD),
    detect=(
        Signature(
            pattern=r"(?i)ssh-rsa (?:that )?is about to be deprecated and your request has been|ssh-rsa .{0,60}?(?:request|session) has been (?:blocked|throttled)|ssh: handshake failed: .{0,60}?no common algorithm for host key.{0,200}?ssh-rsa",
            says="the server slows down or refuses ssh-rsa",
            sample="remote: You're using ssh-rsa that is about to be deprecated and your request has been blocked intentionally.",
            near_miss="Generating public/private rsa key pair with ssh-rsa",
        ),
    ),
    why="ssh-rsa signs with SHA-1. Azure DevOps first delayed sessions that use it and now blocks them; the key itself may stay, but the client has to offer rsa-sha2-256 or rsa-sha2-512. Older releases of Flux, Argo CD and go-git ask for ssh-rsa only.",
    remedy=(
        Step(
            "See the versions of the controllers.",
            run=("kubectl", "get", "deploy", "-A", "-o", "wide"),
            risk=Risk.READ,
        ),
        Step(
            "Update Flux (the microsoft.flux extension) or Argo CD to a release that negotiates rsa-sha2; until then start the source and image automation controllers of Flux with --ssh-hostkey-algos=rsa-sha2-512,rsa-sha2-256.",
            risk=Risk.DISRUPTIVE,
        ),
        Step(
            "Or fetch over HTTPS with a token.",
            verify="kubectl get gitrepositories -A wants READY True",
        ),
    ),
    docs=(
        "https://devblogs.microsoft.com/devops/ssh-rsa-deprecation/",
        "https://fluxcd.io/flux/components/source/gitrepositories/",
    ),
    ask="kubectl get gitrepositories -A",
    leads_to=(
        "arc.flux_source_unready",
        "arc.flux_source_denied",
        "arc.flux_source_unreachable",
        "arc.flux_source_missing",
    ),
)
