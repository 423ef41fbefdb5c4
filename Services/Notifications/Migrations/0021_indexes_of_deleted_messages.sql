-- Outside a transaction: both tables may be large.
ALTER TABLE talk_messages VALIDATE CONSTRAINT talk_messages_kind_check;
-- What somebody said is found on all streams that have told it, also on those of people who have left the conversation since.
DROP INDEX CONCURRENTLY IF EXISTS stream_events_said;
CREATE INDEX CONCURRENTLY stream_events_said
    ON stream_events ((payload::jsonb ->> 'sender'), (payload::jsonb ->> 'message')) WHERE kind = 'message';
