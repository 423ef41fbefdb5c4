-- A market's support reads what its admins read (I13).
ALTER TABLE roles DROP CONSTRAINT roles_role_check;
ALTER TABLE roles
    ADD CONSTRAINT roles_role_check CHECK (role IN ('customer', 'provider', 'admin', 'support')) NOT VALID;
-- Nobody is the support of all markets.
ALTER TABLE roles ADD CONSTRAINT roles_support_of_one_market CHECK (role <> 'support' OR market <> '*') NOT VALID;
-- Nobody is both in a market.
CREATE UNIQUE INDEX roles_one_rank ON roles (account, market) WHERE role IN ('admin', 'support');
-- The list of both.
CREATE INDEX roles_staff ON roles (market, requested_at, account) WHERE role IN ('admin', 'support');
DROP INDEX roles_admins;
