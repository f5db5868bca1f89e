from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The Entra ID (Azure AD, AAD) profile of the request is not valid, or does not fit the cluster",
    severity=Severity.ERROR,
    categories=(
        Category.CREATION,
        Category.IDENTITY,
    ),
    detect=(
        Signature(
            pattern=r"\b(?:RBACNotEnabledForAAD|InvalidAdminGroupObjectID|AAD\w*(?:Invalid|NotAllowed|NotSupported|Required)\w*|AzureRBACRequires\w+|DisableLocalAccounts\w+)\b|(?i:(?:AAD|Azure AD|Entra(?: ID)?) admin group object ?IDs?\b.{0,120}?(?:is|are) (?:not (?:a )?valid|invalid))|(?i:adminGroupObjectIDs\b.{0,80}?(?:invalid|not valid|must|duplicate))|(?i:managed (?:AAD|Azure AD|Entra(?: ID)?)\b.{0,120}?(?:cannot|can't|not (?:be )?(?:allowed|supported|changed|disabled|possible)|required|must))|(?i:legacy (?:AAD|Azure AD)\b.{0,120}?(?:deprecated|retired|cannot|not (?:allowed|supported)|no longer))|(?i:Azure RBAC (?:for Kubernetes.{0,40}?)?.{0,40}?(?:requires|only (?:supported|available)|cannot be enabled).{0,60}?(?:AAD|Azure AD|Entra))|(?i:disabl\w+ local ?accounts?.{0,80}?(?:requires|only|not (?:allowed|supported)|cannot).{0,60}?(?:AAD|Azure AD|Entra|integrat))|(?i:aadProfile(?:\.\w+)?\b.{0,80}?(?:is invalid|is required|not allowed|must|cannot))",
            says="the Entra ID settings of the request are refused",
            sample="(BadRequest) A managed AAD cluster cannot be changed back to legacy AAD.",
            near_miss="aadProfile: managed true, enableAzureRBAC true",
            weight=TYPICAL,
            unless=r"AADSTS|(?i)Operation .{1,40}? is not allowed for managed AAD|Unable to get log",
        ),
    ),
    why="Integration with Entra ID is a one-way street: a cluster goes from none or legacy to managed, never back, and legacy (server and client application) can no longer be made. Azure RBAC and disabling local accounts need the managed one; admin groups are given as object ids, not names.",
    remedy=(
        Step(
            "See what the cluster has now.",
            run=(
                "az",
                "aks",
                "show",
                "-g",
                "{resource_group}",
                "-n",
                "{cluster}",
                "--query",
                "aadProfile",
                "-o",
                "json",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Turn the managed integration on, with the object id of a group.",
            run=(
                "az",
                "aks",
                "update",
                "-g",
                "{resource_group}",
                "-n",
                "{cluster}",
                "--enable-aad",
                "--aad-admin-group-object-ids",
                "<group-object-id>",
            ),
            risk=Risk.SAFE,
            verify="az aks show --query aadProfile.managed wants true",
        ),
        Step(
            "Leave server and client application out of the template, and never remove the profile."
        ),
    ),
    docs=("https://learn.microsoft.com/azure/aks/enable-authentication-microsoft-entra-id",),
    leads_to=("aks.request_refused",),
    ask="az aks show -g {resource_group} -n {cluster} --query aadProfile -o json",
)
