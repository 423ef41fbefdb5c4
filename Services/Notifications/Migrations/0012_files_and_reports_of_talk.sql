-- Photos without the camera's data, and voice notes, of one message each.
CREATE TABLE talk_files (
    conversation uuid   NOT NULL,
    number       bigint NOT NULL,
    media_type   text   NOT NULL,
    bytes        bytea  NOT NULL,
    PRIMARY KEY (conversation, number),
    FOREIGN KEY (conversation, number) REFERENCES talk_messages ON DELETE CASCADE
);
COMMENT ON TABLE talk_files IS 'Photos and voice notes, each of one message of a conversation.';

-- Reports of orders by dispatch's parties: while one is open, admins may read what the parties wrote.
CREATE TABLE talk_reports (
    report    uuid PRIMARY KEY,
    order_id  uuid NOT NULL,
    -- An answer may be heard before its report.
    closed_at timestamptz
);
CREATE INDEX talk_reports_order ON talk_reports (order_id);
COMMENT ON TABLE talk_reports IS
    'Reports of orders and whether they are closed: an open one lets admins read the conversations of its order.';

-- Reports of single messages, by those who got them. An open one opens the conversation for admins, too.
CREATE TABLE message_reports (
    id           uuid        PRIMARY KEY,
    market       text        NOT NULL,
    conversation uuid        NOT NULL,
    number       bigint      NOT NULL,
    reporter     uuid        NOT NULL,
    reason       text        NOT NULL,
    made_at      timestamptz NOT NULL,
    closed_at    timestamptz,
    closed_by    uuid,
    FOREIGN KEY (conversation, number) REFERENCES talk_messages ON DELETE CASCADE
);
CREATE UNIQUE INDEX message_reports_once ON message_reports (conversation, number, reporter);
CREATE INDEX message_reports_open ON message_reports (market, made_at, id) WHERE closed_at IS NULL;
COMMENT ON TABLE message_reports IS
    'Messages that their readers reported to the admins of a market, and whether an admin has looked at it.';
