extension Migration {
    /// Leaves only SELECT and INSERT on append-only tables to roles other than their owner. A service that runs as
    /// another role than its migrations can then change nothing there, and cannot drop the trigger that refuses
    /// changes.
    ///
    /// An append-only table has a trigger named `…append_only`, which refuses changes by every role, its owner's too.
    /// This migration follows those that create the tables. In a schema whose only role is its owner it does nothing.
    /// - Parameter version: 1, and the next number when further tables have become append-only.
    public static func appendOnly(version: Int = 1) -> Migration {
        Migration(
            component: "rights", version: version, name: "append_only",
            sql: """
                DO $$
                DECLARE
                    given record;
                BEGIN
                    FOR given IN
                        SELECT DISTINCT pg_class.oid::regclass::text AS relation, acl.grantee::regrole::text AS grantee
                        FROM pg_trigger JOIN pg_class ON pg_class.oid = tgrelid, aclexplode(relacl) AS acl
                        WHERE tgname LIKE '%append\\_only' AND relnamespace = current_schema()::regnamespace
                            AND acl.grantee NOT IN (0, relowner)
                    LOOP
                        EXECUTE format('REVOKE ALL ON %s FROM PUBLIC, %s', given.relation, given.grantee);
                        EXECUTE format('GRANT SELECT, INSERT ON %s TO %s', given.relation, given.grantee);
                    END LOOP;
                END
                $$
                """)
    }
}
