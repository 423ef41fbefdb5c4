-- What a database that was set back to an earlier moment needs before its services start. Run once after each restore.
\set ON_ERROR_STOP on
BEGIN;
-- Clients have seen numbers of their streams that were given after that moment and will be given again. Far beyond them, a client
-- that comes back with any of them finds what it asks for gone, hears `missed`, and reads its lists again.
UPDATE notifications.stream_events SET seq = seq + 1000000000;
UPDATE notifications.streams SET last_seq = last_seq + 1000000000;
-- Whose stream was to begin after that moment has no row yet, and would be given the first numbers again.
INSERT INTO notifications.streams (account, last_seq) SELECT id, 1000000000 FROM identity.accounts ON CONFLICT DO NOTHING;
COMMIT;
