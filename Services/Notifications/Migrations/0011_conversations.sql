-- What a conversation has to know of an order: its parties and its state, by dispatch's newest event.
CREATE TABLE talk_orders (
    order_id   uuid        PRIMARY KEY,
    market     text        NOT NULL,
    kind       text        NOT NULL,
    version    bigint      NOT NULL,
    state      text        NOT NULL,
    customer   uuid        NOT NULL,
    provider   uuid,
    merchant   uuid,
    -- When it ended, or was reported; from then on the time runs in which its parties may still write.
    ended_at   timestamptz,
    changed_at timestamptz NOT NULL
) WITH (fillfactor = 80);
CREATE INDEX talk_orders_changed_at ON talk_orders (market, changed_at);
COMMENT ON TABLE talk_orders IS
    'The parties and the state of each order, as dispatch tells them, to decide who may write to whom.';

-- Two parties of an order, or somebody and the support. Made when two parties may first write.
CREATE TABLE conversations (
    id          uuid        PRIMARY KEY,
    market      text        NOT NULL,
    -- Null for one with the support.
    order_id    uuid,
    -- The two of the order: role and account of each.
    pair        text,
    -- Numbers are given under the row's lock, without gaps.
    last_number bigint      NOT NULL DEFAULT 0,
    file_count  int         NOT NULL DEFAULT 0,
    created_at  timestamptz NOT NULL,
    last_at     timestamptz NOT NULL
) WITH (fillfactor = 80);
CREATE UNIQUE INDEX conversations_of_order ON conversations (order_id, pair) WHERE order_id IS NOT NULL;
CREATE INDEX conversations_last_at ON conversations (market, last_at);
COMMENT ON TABLE conversations IS
    'Conversations between two parties of an order, or between somebody and the support.';

CREATE TABLE conversation_members (
    conversation uuid    NOT NULL REFERENCES conversations ON DELETE CASCADE,
    account      uuid    NOT NULL,
    -- customer, provider, merchant
    role         text    NOT NULL,
    name         text    NOT NULL,
    -- The greatest numbers that reached the member's devices, and that the member has read.
    delivered    bigint  NOT NULL DEFAULT 0,
    read         bigint  NOT NULL DEFAULT 0,
    -- Has been told once not to give away phone numbers here, and sent one all the same.
    was_warned   boolean NOT NULL DEFAULT false,
    PRIMARY KEY (conversation, account)
) WITH (fillfactor = 80);
CREATE INDEX conversation_members_account ON conversation_members (account);
COMMENT ON TABLE conversation_members IS
    'Who may read a conversation, and how far each has read it. Admins are no members.';

CREATE TABLE talk_messages (
    conversation uuid        NOT NULL REFERENCES conversations ON DELETE CASCADE,
    number       bigint      NOT NULL,
    -- Made by the sender's device, so that a repeat is known.
    id           uuid        NOT NULL,
    sender       uuid        NOT NULL,
    -- support: an admin
    sender_role  text        NOT NULL,
    -- removed: its sender's account is gone, and what was said with it
    kind         text        NOT NULL CHECK (kind IN ('text', 'photo', 'voice', 'removed')),
    body         text,
    -- Of a voice note.
    seconds      int,
    at           timestamptz NOT NULL,
    PRIMARY KEY (conversation, number),
    UNIQUE (conversation, id)
);
CREATE INDEX talk_messages_sender ON talk_messages (sender, at DESC, id DESC);
COMMENT ON TABLE talk_messages IS
    'What was said in conversations, each message with its number.';
