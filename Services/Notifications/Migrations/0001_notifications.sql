-- The language that an account wants its texts in, by its newest event.
CREATE TABLE people (
    account uuid PRIMARY KEY,
    language text NOT NULL,
    version bigint NOT NULL
) WITH (fillfactor = 80);

-- How far the events of an account are numbered. The row is locked until the events of the number are committed, so a
-- reader that has seen one number has seen all before it. Outlives its events.
CREATE TABLE streams (
    account uuid PRIMARY KEY,
    last_seq bigint NOT NULL
) WITH (fillfactor = 70);

-- What accounts are told live, and again after an interruption, for some days.
CREATE TABLE stream_events (
    account uuid NOT NULL,
    seq bigint NOT NULL,
    -- order, payment, inbox
    kind text NOT NULL,
    -- Of orders: which of the market's words say the state: market, state and role.
    label text,
    -- Of orders and payments: JSON.
    payload text,
    -- Of inbox items: which. When the item is deleted there is nothing to tell.
    item uuid,
    at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (account, seq)
);

-- Rows come in the order of time, so a block range index is enough to find old ones.
CREATE INDEX stream_events_at ON stream_events USING brin (at) WITH (pages_per_range = 16);

-- The newest version of each order and payment that was told, and the one before it. What is older is not told again.
CREATE TABLE heads (
    subject uuid PRIMARY KEY,
    version bigint NOT NULL,
    previous bigint NOT NULL,
    since timestamptz NOT NULL DEFAULT now()
) WITH (fillfactor = 70);

CREATE INDEX heads_since ON heads USING brin (since) WITH (pages_per_range = 16);

-- The words are made when the item is read, in the language that the account has then.
CREATE TABLE inbox_items (
    id uuid PRIMARY KEY,
    account uuid NOT NULL,
    topic text NOT NULL,
    -- JSON: what the topic's words need.
    arguments text NOT NULL,
    order_id uuid,
    at timestamptz NOT NULL,
    read_at timestamptz
) WITH (fillfactor = 90);

CREATE INDEX inbox_items_newest ON inbox_items (account, at DESC, id DESC);
CREATE INDEX inbox_items_unread ON inbox_items (account) WHERE read_at IS NULL;
