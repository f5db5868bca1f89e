from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The planned maintenance window (maintenance configuration) of the cluster is refused as invalid",
    severity=Severity.ERROR,
    categories=(Category.UPGRADE,),
    detect=(
        Signature(
            pattern=r"(?i)Only 'default', 'aksManagedAuto|Only weekly schedule is supported|Maintenance Configuration for Kubernetes Cluster\b.{0,60}?unexpected status 400|--(?:utc-offset|start-date|start-time) must be in format|allowed config ?Names for maintenance configuration|--config-name must be one of default, aksManaged|(?:weekly|daily|monthly|schedule) .{0,60}?(?:is|are) (?:not |only )?supported for .{0,60}?maintenance (?:configuration|window)|maintenance (?:configuration|window|schedule)s?.{0,120}?(?:\binvalid\b|not valid|not allowed|in the past|cannot be|can't be|can not be|must be|must (?:have|start)|should be|overlap|conflict|at least \d+ hours?|not supported|exceed)|\bInvalid(?:Maintenance\w+|StartEndTime)\b|\bMaintenance(?:Configuration|Window)\w*(?:Invalid|NotAllowed|Conflict|NotSupported|Error)\b|\bTooManyHourSlots\b|(?:durationHours|startDate|utcOffset|notAllowedDates)\b.{0,80}?(?:\binvalid\b|must be|in the past)",
            says="the maintenance window is refused as it is written",
            sample="InvalidParameter: Only 'default', 'aksManagedAutoUpgradeSchedule' and 'aksManagedNodeOSUpgradeSchedule' are allowed configNames for maintenance configuration.",
            near_miss="maintenance configuration aksManagedAutoUpgradeSchedule of the cluster was created",
            weight=TYPICAL,
            unless=r"(?i)nexus|fabric",
        ),
    ),
    why="AKS knows three maintenance configurations: `default` (hours of the week), `aksManagedAutoUpgradeSchedule` and `aksManagedNodeOSUpgradeSchedule` (schedule with start, interval and a duration of at least 4 hours). Another name, a schedule of the wrong type for the name, a start date in the past or an overlap of excluded dates is refused with `InvalidParameter`.",
    remedy=(
        Step(
            "See the maintenance windows that the cluster has.",
            run=(
                "az",
                "aks",
                "maintenanceconfiguration",
                "list",
                "-g",
                "{resource_group}",
                "--cluster-name",
                "{cluster}",
                "-o",
                "json",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Write it with a name and a schedule that belong together: weekday and start hour for default; schedule type, interval, start time and duration (4 to 24 hours) for the two others; a start date that is not past.",
            run=(
                "az",
                "aks",
                "maintenanceconfiguration",
                "update",
                "-g",
                "{resource_group}",
                "--cluster-name",
                "{cluster}",
                "-n",
                "aksManagedAutoUpgradeSchedule",
                "--schedule-type",
                "Weekly",
                "--day-of-week",
                "Sunday",
                "--interval-weeks",
                "1",
                "--start-time",
                "00:00",
                "--duration",
                "8",
            ),
            risk=Risk.SAFE,
            verify="az aks maintenanceconfiguration show wants the new schedule",
        ),
        Step(
            "In Terraform leave start_date out of later changes (ignore_changes), since a date that has gone by is refused."
        ),
    ),
    docs=("https://learn.microsoft.com/azure/aks/planned-maintenance",),
    leads_to=("aks.request_refused",),
    ask="az aks maintenanceconfiguration list -g {resource_group} --cluster-name {cluster} -o json",
)
