-- The role `observer`, as which Prometheus' exporter asks how the server is. It reads the server's statistics and not a row of anybody's;
-- texts of statements, which it could read, have no values in them.
--   psql -d serai -f observer.sql     as a superuser; the password is in SERAI_OBSERVER_DATABASE_PASSWORD
-- Can be run again at any time.
\set ON_ERROR_STOP on
\set QUIET on
SET client_min_messages = warning;

\getenv observer SERAI_OBSERVER_DATABASE_PASSWORD

BEGIN;
SELECT 'CREATE ROLE observer' WHERE NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'observer') \gexec
SELECT format(
    'ALTER ROLE observer LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS INHERIT CONNECTION LIMIT 5 PASSWORD %L',
    :'observer') \gexec
GRANT pg_monitor TO observer;
SELECT format('GRANT CONNECT ON DATABASE %I TO observer', current_database()) \gexec
COMMIT;
