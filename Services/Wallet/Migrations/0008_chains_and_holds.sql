-- Each transfer carries the hash of the one before it in its chain, so that tampering shows. The bytes that are hashed
-- are those of Storage/LedgerChain.swift; this is the only other place that knows them.
--
-- The heads of the chains. Posters that meet take different ones: see LockChain.
CREATE TABLE chains (
    id    smallint PRIMARY KEY,
    -- Of its last transfer; 0 before the first.
    place bigint NOT NULL,
    hash  bytea NOT NULL CHECK (length(hash) = 32)
) WITH (fillfactor = 20);
INSERT INTO chains (id, place, hash) SELECT id, 0, decode(repeat('00', 32), 'hex') FROM generate_series(1, 16) AS id;

ALTER TABLE transfers ADD COLUMN chain smallint, ADD COLUMN place bigint, ADD COLUMN hash bytea;

-- Checked by `wallet verify` instead: to look up and lock both rows for each entry is half of what a transfer costs.
ALTER TABLE entries DROP CONSTRAINT entries_account_fkey, DROP CONSTRAINT entries_transfer_fkey;
-- One index fewer: an entry is read as one of an account or of a transfer, never by its number alone.
ALTER TABLE entries DROP CONSTRAINT entries_pkey;
DROP INDEX entries_of_account;
ALTER TABLE entries ADD CONSTRAINT entries_of_account PRIMARY KEY (account, id);
CREATE INDEX entries_of_transfer ON entries (transfer);

-- Transfers that were there before become the beginning of the first chain.
ALTER TABLE transfers DISABLE TRIGGER transfers_append_only;
DO $$
DECLARE
    old      record;
    content  bytea;
    previous bytea := decode(repeat('00', 32), 'hex');
    number   bigint := 0;
BEGIN
    FOR old IN SELECT id, key, kind, currency, subject FROM transfers ORDER BY at, id LOOP
        number := number + 1;
        SELECT previous || int2send(1::int2) || int8send(number) || uuid_send(old.id) || uuid_send(old.subject)
            || int4send(octet_length(old.key)) || convert_to(old.key, 'UTF8')
            || int4send(octet_length(old.kind)) || convert_to(old.kind, 'UTF8')
            || int4send(octet_length(old.currency)) || convert_to(old.currency, 'UTF8')
            || int4send(count(*)::int4)
            || coalesce(string_agg(int8send(account) || int8send(amount) || int8send(balance), '' ORDER BY id), '')
        INTO content FROM entries WHERE transfer = old.id;
        previous := sha256(content);
        UPDATE transfers SET chain = 1, place = number, hash = previous WHERE id = old.id;
    END LOOP;
    UPDATE chains SET place = number, hash = previous WHERE id = 1;
END
$$;
ALTER TABLE transfers ENABLE TRIGGER transfers_append_only;

ALTER TABLE transfers
    ALTER COLUMN chain SET NOT NULL,
    ALTER COLUMN place SET NOT NULL,
    ALTER COLUMN hash SET NOT NULL,
    ADD CONSTRAINT transfers_chained UNIQUE (chain, place);
-- Now that no foreign key has to lock them.
REVOKE UPDATE, DELETE, TRUNCATE ON transfers FROM PUBLIC, CURRENT_USER;

-- Money of a wallet that waits, by command of another service, for its division, its return or its end.
CREATE TABLE holds (
    id         uuid PRIMARY KEY,
    -- Whose wallet it came from and what is not captured goes back to.
    owner      uuid NOT NULL,
    currency   text NOT NULL,
    amount     bigint NOT NULL CHECK (amount > 0),
    subject    uuid NOT NULL,
    state      text NOT NULL,
    expires_at timestamptz,
    placed_at  timestamptz NOT NULL DEFAULT now(),
    ended_at   timestamptz
) WITH (fillfactor = 80);
CREATE INDEX holds_open ON holds (owner) WHERE state = 'open';

-- Commands that were refused for good, so that who repeats one hears the same again.
CREATE TABLE refusals (
    key    text PRIMARY KEY,
    reason text NOT NULL,
    at     timestamptz NOT NULL DEFAULT now()
);
