-- No transfer outside of the chains: a check that begins with the first of them would not see it.
ALTER TABLE transfers ADD CONSTRAINT transfers_in_chains CHECK (chain BETWEEN 1 AND 16 AND place > 0);

-- Which bytes the hash is of: 1 names an account by its number alone, 2 says whose it is, and when it was posted. A row
-- keeps the form in which it was hashed.
ALTER TABLE transfers ADD COLUMN form smallint NOT NULL DEFAULT 1 CHECK (form IN (1, 2));

-- What was asked, as a digest, so that the same id with something else is not taken for a repeat. Null where the key says
-- it all, and for what was asked before there were digests.
ALTER TABLE transfers ADD COLUMN asked bytea;
ALTER TABLE refusals ADD COLUMN asked bytea;

-- Of an account only the balance changes. Whose it is, is said once.
CREATE FUNCTION refuse_other_owner() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'of an account only the balance changes' USING ERRCODE = 'restrict_violation';
END
$$;
CREATE TRIGGER accounts_keep_their_owner
    BEFORE UPDATE OF id, kind, owner, currency, shard, floor, opened_at OR DELETE OR TRUNCATE ON accounts
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_other_owner();
-- And so for every role that may change it at all.
DO $$
DECLARE
    given record;
BEGIN
    REVOKE UPDATE, DELETE, TRUNCATE ON accounts FROM PUBLIC, CURRENT_USER;
    GRANT UPDATE (balance) ON accounts TO CURRENT_USER;
    FOR given IN
        SELECT DISTINCT acl.grantee::regrole::text AS grantee FROM pg_class, aclexplode(relacl) AS acl
        WHERE pg_class.oid = 'accounts'::regclass AND acl.grantee NOT IN (0, relowner)
            AND acl.privilege_type = 'UPDATE'
    LOOP
        EXECUTE format('REVOKE UPDATE, DELETE, TRUNCATE ON accounts FROM %s', given.grantee);
        EXECUTE format('GRANT UPDATE (balance) ON accounts TO %s', given.grantee);
    END LOOP;
END
$$;
