-- A role and a schema for each service. The role owns its schema and can do nothing anywhere else.
--   psql -d serai -f roles.sql        as a superuser; the passwords are in SERAI_<SERVICE>_DATABASE_PASSWORD
-- Can be run again at any time: it then sets the passwords anew.
\set ON_ERROR_STOP on
\set QUIET on
SET client_min_messages = warning;

\getenv identity SERAI_IDENTITY_DATABASE_PASSWORD
\getenv dispatch SERAI_DISPATCH_DATABASE_PASSWORD
\getenv wallet SERAI_WALLET_DATABASE_PASSWORD
\getenv notifications SERAI_NOTIFICATIONS_DATABASE_PASSWORD
\getenv admin SERAI_ADMIN_DATABASE_PASSWORD

BEGIN;

-- Nobody may do what is not granted below.
SELECT format('REVOKE ALL ON DATABASE %I FROM PUBLIC', datname) FROM pg_database
WHERE datname IN (current_database(), 'postgres', 'template1') \gexec
REVOKE CREATE ON SCHEMA public FROM PUBLIC;

-- The types and functions of places; it takes a superuser, so no service can create it.
CREATE EXTENSION IF NOT EXISTS postgis SCHEMA public;

CREATE TEMPORARY TABLE services ON COMMIT DROP AS
SELECT * FROM (VALUES
    ('identity', :'identity'),
    ('dispatch', :'dispatch'),
    ('wallet', :'wallet'),
    ('notifications', :'notifications'),
    ('admin', :'admin')
) AS service (name, password);

SELECT format('CREATE ROLE %I', name) FROM services
WHERE NOT EXISTS (SELECT FROM pg_roles WHERE rolname = name) \gexec
SELECT format(
    'ALTER ROLE %I LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS NOINHERIT PASSWORD %L', name,
    password) FROM services \gexec
SELECT format('GRANT CONNECT ON DATABASE %I TO %I', current_database(), name) FROM services \gexec
SELECT format('CREATE SCHEMA IF NOT EXISTS %I AUTHORIZATION %I', name, name) FROM services \gexec
SELECT format('REVOKE ALL ON SCHEMA %I FROM PUBLIC', name) FROM services \gexec

COMMIT;
