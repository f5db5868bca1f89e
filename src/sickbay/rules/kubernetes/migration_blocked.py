from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A schema migration is pending or does not run: its lock was left behind, or an earlier one failed halfway",
    severity=Severity.ERROR,
    categories=(Category.WORKLOAD,),
    detect=(
        Signature(
            pattern=r"Could not acquire change log lock|Waiting for changelog lock|Migrations have failed validation|Detected failed migration to version (?P<failed>[\w.]+)|Migration checksum mismatch|Dirty database version (?P<dirty>\d+)|Unable to obtain (?:lock|.{0,40}?advisory lock).{0,60}?(?:Flyway|schema history)|(?:Migration|migration) table is already locked|ActiveRecord::PendingMigrationError|Migrations are pending|There are pending (?:model changes|migrations)|You need to (?:initialize|upgrade) the database|(?:Please|please) run `?airflow db|PendingModelChangesWarning|P3009|P3018|MigrationFailedException|Migration failed for changeset|\[liquibase.{0,300}?encountered an exception|Sqlstore::Migration failed|migration failed \(id = |Can\x27t locate revision identified by \x27(?P<alembic>\w+)|InconsistentMigrationHistory|Incompatible Elasticsearch cluster settings detected|\[(?:incompatible_cluster_routing_allocation_enabled|index_not_green_timeout|cluster_shard_limit_exceeded)\]|Found non-empty schema\(s\) .{1,80}? but no schema history table|There are still unapplied migrations after \d+ seconds",
            says="a schema migration is blocked",
            sample="liquibase.exception.LockException: Could not acquire change log lock.  Currently locked by web-7d9 (10.244.1.5) since 1/2/24",
            near_miss="Successfully acquired change log lock",
            passes=True,
        ),
    ),
    why="The tool keeps a lock and a history in the database. A pod that was killed during a migration leaves the lock set or the history marked as failed, and every later start refuses to go on.",
    remedy=(
        Step(
            "See that no other pod is migrating now.",
            run=(
                "kubectl",
                "get",
                "pods",
                "-n",
                "{namespace}",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Release the lock or repair the history with the tool itself (liquibase releaseLocks, flyway repair, migrate force), after a look at what the failed one left in the schema.",
            risk=Risk.DISRUPTIVE,
            verify="the next start runs its migrations",
        ),
        Step("Run migrations in a job or init container that no liveness probe kills."),
    ),
    docs=("https://docs.liquibase.com/commands/utility/release-locks.html",),
    leads_to=("kubernetes.program_fails",),
    ask="kubectl logs {pod} -n {namespace} --all-containers --previous",
)
