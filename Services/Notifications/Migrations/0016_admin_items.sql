-- What waits for the admins of a market (N1): one row for a thing, for all of them.
CREATE TABLE admin_items (
    id         uuid        PRIMARY KEY,
    market     text        NOT NULL,
    kind       text        NOT NULL,
    -- The thing: an order, a report, a cash-out, a link, an account. No key: most are rows of other services.
    subject    uuid        NOT NULL,
    -- Whom it is about; an admin does not take what is about himself or herself.
    person     uuid,
    order_id   uuid,
    -- For its words, in the form of an inbox item's arguments. No names of people and no words of theirs.
    arguments  text        NOT NULL,
    is_urgent  boolean     NOT NULL DEFAULT false,
    -- Facts about a thing count by this, whenever they are heard: an order's version, else microseconds.
    mark       bigint      NOT NULL,
    state      text        NOT NULL CHECK (state IN ('waiting', 'taken', 'done', 'settled')),
    taken_by   uuid,
    -- Since when it waits.
    at         timestamptz NOT NULL,
    changed_at timestamptz NOT NULL,
    ended_at   timestamptz,
    CHECK (state <> 'taken' OR taken_by IS NOT NULL),
    CHECK ((ended_at IS NULL) = (state IN ('waiting', 'taken')))
) WITH (fillfactor = 80);
CREATE UNIQUE INDEX admin_items_thing ON admin_items (kind, subject, market);
CREATE INDEX admin_items_open ON admin_items (market, at DESC, id DESC) WHERE state IN ('waiting', 'taken');
CREATE INDEX admin_items_ended ON admin_items (market, at DESC, id DESC) WHERE ended_at IS NOT NULL;
CREATE INDEX admin_items_ended_at ON admin_items (ended_at) WHERE ended_at IS NOT NULL;
CREATE INDEX admin_items_person ON admin_items (person) WHERE person IS NOT NULL;
COMMENT ON TABLE admin_items IS
    'What waits for the admins of each market, who of them has taken it, and whether it is done or settled.';

-- What this service itself has waiting already. Other owners' things come with their next event.
INSERT INTO admin_items
    (id, market, kind, subject, person, arguments, mark, state, taken_by, at, changed_at)
SELECT id, market, 'inquiry', id, account, '{}', (extract(epoch FROM last_at) * 1000000)::bigint,
    CASE WHEN taken_by IS NULL THEN 'waiting' ELSE 'taken' END, taken_by, last_at, last_at
FROM inquiries WHERE NOT is_answered;
INSERT INTO admin_items (id, market, kind, subject, person, arguments, mark, state, at, changed_at)
SELECT r.id, r.market, 'message-report', r.id, said.sender, '{}', (extract(epoch FROM r.made_at) * 1000000)::bigint,
    'waiting', r.made_at, r.made_at
FROM message_reports AS r
JOIN talk_messages AS said ON said.conversation = r.conversation AND said.number = r.number
WHERE r.closed_at IS NULL;
