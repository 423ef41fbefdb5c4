-- Whoever has said something may delete it, and pass on what was said as a copy. The next migration compares the rows that are
-- there.
ALTER TABLE talk_messages ADD COLUMN is_forwarded boolean NOT NULL DEFAULT false;
ALTER TABLE talk_messages DROP CONSTRAINT talk_messages_kind_check;
ALTER TABLE talk_messages ADD CONSTRAINT talk_messages_kind_check
    CHECK (kind IN ('text', 'photo', 'voice', 'deleted', 'removed')) NOT VALID;
COMMENT ON COLUMN talk_messages.kind IS
    'deleted: its sender has deleted it; removed: its sender''s account is gone. Of both nothing is left but the number.';

-- What was deleted while admins could read the conversation: they decide on what was said. It goes when they may no more.
CREATE TABLE deleted_messages (
    conversation uuid        NOT NULL,
    number       bigint      NOT NULL,
    kind         text        NOT NULL CHECK (kind IN ('text', 'photo', 'voice')),
    body         text,
    seconds      int,
    media_type   text,
    bytes        bytea,
    deleted_at   timestamptz NOT NULL,
    PRIMARY KEY (conversation, number),
    FOREIGN KEY (conversation, number) REFERENCES talk_messages ON DELETE CASCADE
);
COMMENT ON TABLE deleted_messages IS
    'Copies, for admins alone, of messages that were deleted while a report let admins read the conversation.';

-- Whoever joins a group reads only what is said from then on.
ALTER TABLE conversation_members ADD COLUMN since bigint NOT NULL DEFAULT 0;
COMMENT ON COLUMN conversation_members.since IS
    'The number of the last message before the member came: it and those before it are not the member''s to read.';
