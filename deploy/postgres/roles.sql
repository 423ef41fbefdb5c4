-- A schema and two roles for each service, which can do nothing anywhere else:
--   <service>_owner   owns the schema and all in it; migrations run as this role, and nothing else does
--   <service>         is the service's own: reads and writes rows, but changes no table, trigger or right, and of tables
--                     whose rows are never changed (the audit log, the ledger) it can only read and add to them
--   psql -d serai -f roles.sql        as a superuser; the passwords are in SERAI_<SERVICE>_DATABASE_PASSWORD and
--                                     SERAI_<SERVICE>_OWNER_PASSWORD
-- The services' roles also have the settings of the server with which their sessions plan, see below.
-- Can be run again at any time: it then sets the passwords and these settings anew.
\set ON_ERROR_STOP on
\set QUIET on
SET client_min_messages = warning;

\getenv identity SERAI_IDENTITY_DATABASE_PASSWORD
\getenv identity_owner SERAI_IDENTITY_OWNER_PASSWORD
\getenv dispatch SERAI_DISPATCH_DATABASE_PASSWORD
\getenv dispatch_owner SERAI_DISPATCH_OWNER_PASSWORD
\getenv wallet SERAI_WALLET_DATABASE_PASSWORD
\getenv wallet_owner SERAI_WALLET_OWNER_PASSWORD
\getenv notifications SERAI_NOTIFICATIONS_DATABASE_PASSWORD
\getenv notifications_owner SERAI_NOTIFICATIONS_OWNER_PASSWORD
\getenv admin SERAI_ADMIN_DATABASE_PASSWORD
\getenv admin_owner SERAI_ADMIN_OWNER_PASSWORD

BEGIN;

-- Nobody may do what is not granted below.
SELECT format('REVOKE ALL ON DATABASE %I FROM PUBLIC', datname) FROM pg_database WHERE datallowconn \gexec
REVOKE CREATE ON SCHEMA public FROM PUBLIC;

-- The types and functions of places; it takes a superuser, so no service can create it.
CREATE EXTENSION IF NOT EXISTS postgis SCHEMA public;

CREATE TEMPORARY TABLE services ON COMMIT DROP AS
SELECT * FROM (VALUES
    ('identity', 'identity_owner', :'identity', :'identity_owner'),
    ('dispatch', 'dispatch_owner', :'dispatch', :'dispatch_owner'),
    ('wallet', 'wallet_owner', :'wallet', :'wallet_owner'),
    ('notifications', 'notifications_owner', :'notifications', :'notifications_owner'),
    ('admin', 'admin_owner', :'admin', :'admin_owner')
) AS service (name, owner, password, owner_password);
CREATE TEMPORARY TABLE roles ON COMMIT DROP AS
SELECT name, password FROM services UNION ALL SELECT owner, owner_password FROM services;

SELECT format('CREATE ROLE %I', name) FROM roles
WHERE NOT EXISTS (SELECT FROM pg_roles WHERE rolname = name) \gexec
SELECT format(
    'ALTER ROLE %I LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS NOINHERIT PASSWORD %L', name,
    password) FROM roles \gexec
SELECT format('GRANT CONNECT ON DATABASE %I TO %I', current_database(), name) FROM roles \gexec
SELECT format('CREATE SCHEMA IF NOT EXISTS %I AUTHORIZATION %I', name, owner) FROM services \gexec
SELECT format('REVOKE ALL ON SCHEMA %I FROM PUBLIC', name) FROM services \gexec

-- What migrations make from now on. A migration takes away what is too much.
SELECT format('GRANT USAGE ON SCHEMA %I TO %I', name, name) FROM services \gexec
SELECT format(
    'ALTER DEFAULT PRIVILEGES FOR ROLE %I IN SCHEMA %I GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO %I', owner,
    name, name) FROM services \gexec
SELECT format(
    'ALTER DEFAULT PRIVILEGES FOR ROLE %I IN SCHEMA %I GRANT USAGE ON SEQUENCES TO %I', owner, name, name)
FROM services \gexec

-- How the services' sessions plan (docs/performance.md). A session that is told otherwise when it begins, such as a command's that
-- reads whole tables, does as it is told. Migrations run as the owners, with what the server has.
--   jit              statements are short: compiling one takes longer than it saves
--   enable_seqscan   rows are found by an index, also in a table that is small yet: a plan that was kept while it was small would
--                    read all of it, and would still do so after it has grown, until the next ANALYZE. A statement without an
--                    index for its rows still reads all. Not for admin, whose reports read much of a table
--   plan_cache_mode  one plan for all parameters: by default a server plans each statement five times in each session, and one
--                    with an array every time. Not for wallet and identity, whose lists are narrowed in many ways; a single
--                    transaction is planned anew by planAnew()
SELECT format('ALTER ROLE %I SET %I = %L', name, setting, value) FROM (VALUES
    ('identity', 'jit', 'off'), ('identity', 'enable_seqscan', 'off'),
    ('dispatch', 'jit', 'off'), ('dispatch', 'enable_seqscan', 'off'), ('dispatch', 'plan_cache_mode', 'force_generic_plan'),
    ('wallet', 'jit', 'off'), ('wallet', 'enable_seqscan', 'off'),
    ('notifications', 'jit', 'off'), ('notifications', 'enable_seqscan', 'off'),
    ('notifications', 'plan_cache_mode', 'force_generic_plan'),
    ('admin', 'jit', 'off')
) AS planning (name, setting, value) \gexec

-- What a service owned itself, when there was one role for each: the owner takes it over.
CREATE TEMPORARY TABLE taken ON COMMIT DROP AS
SELECT c.oid::regclass AS relation, name FROM services JOIN pg_roles ON rolname = name
JOIN pg_class AS c ON c.relowner = pg_roles.oid AND c.relkind IN ('r', 'p') AND c.relpersistence <> 't';
SELECT format('REASSIGN OWNED BY %I TO %I', name, owner) FROM services \gexec
SELECT format('GRANT SELECT, INSERT, UPDATE, DELETE ON %s TO %I', relation, name) FROM taken \gexec

COMMIT;
