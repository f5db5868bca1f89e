from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The project of an Argo CD application does not allow its repository, destination or kind of object",
    severity=Severity.ERROR,
    categories=(
        Category.WORKLOAD,
        Category.IDENTITY,
    ),
    detect=(
        Signature(
            pattern=r"(?i)application (?:repo|source) \S{1,200} is not permitted in (?:the )?(?:App)?project|application destination .{1,200}?(?:is not permitted in project|do not match any of the allowed destinations)|resource \S{1,100} is not permitted in project (?P<project>[\w.-]+)|namespace \S{1,80} is not permitted in project|helm repos? \S{1,300} (?:is|are) not permitted in project",
            says="the project of the application forbids it",
            sample="InvalidSpecError: application repo https://git.contoso.com/shop/deploy.git is not permitted in project 'team-a'",
            near_miss="application repo https://git.contoso.com/shop/deploy.git is permitted in project 'team-a'",
        ),
    ),
    why="An Argo CD project lists the repositories, clusters, namespaces and kinds that its applications may use. The application names one that is not on its list, and so it is not even compared.",
    remedy=(
        Step(
            "See what the project allows.",
            run=(
                "kubectl",
                "get",
                "appprojects",
                "-n",
                "argocd",
                "-o",
                "yaml",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Add the repository, destination or kind to the project, or move the application to another project.",
            risk=Risk.SAFE,
            verify="the application shows no InvalidSpecError",
        ),
    ),
    docs=("https://argo-cd.readthedocs.io/en/stable/user-guide/projects/",),
    ask="kubectl get appprojects -n argocd -o yaml",
)
