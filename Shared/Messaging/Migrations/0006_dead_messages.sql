-- Messages that the service gave up, where operators see them, put them back or drop them. What was decided stays for a while
-- without its content, so that a late copy of the same dead letter is known.
CREATE TABLE dead_messages (
    id          uuid PRIMARY KEY,
    -- Whose message it was, and where it is put back.
    queue       text NOT NULL,
    -- The message's id; of one without, a digest of its body.
    key         uuid NOT NULL,
    -- Null where the message has none, or one that is no id.
    message_id  uuid,
    name        text,
    aggregate   text,
    producer    text,
    causation   uuid,
    traceparent text,
    request_id  text,
    occurred_at timestamptz,
    failed_at   timestamptz NOT NULL,
    reason      text NOT NULL,
    -- Null where the broker gave it up.
    failures    int,
    -- Came by another service's exchange, so it is never put back.
    is_foreign  boolean NOT NULL,
    state       text NOT NULL CHECK (state IN ('waiting', 'retrying', 'retried', 'dropped')),
    -- How often somebody decided about it. A copy from before a decision changes nothing.
    decisions   int NOT NULL,
    decided_at  timestamptz,
    payload     bytea,
    UNIQUE (queue, key),
    CHECK ((payload IS NULL) = (state IN ('retried', 'dropped')))
);
COMMENT ON TABLE dead_messages IS
    'Messages that the service gave up: they wait for somebody to put them back or to drop them, for fourteen days.';
CREATE INDEX dead_messages_waiting ON dead_messages (failed_at DESC, id DESC) WHERE state = 'waiting';
CREATE INDEX dead_messages_retrying ON dead_messages (occurred_at, id) WHERE state = 'retrying';
CREATE INDEX dead_messages_failed ON dead_messages (failed_at DESC, id DESC);
