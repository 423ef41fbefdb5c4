-- Friends write to each other as long as their link holds. The next migration makes the indexes.
ALTER TABLE conversations
    ADD COLUMN link_id uuid,
    -- When the link ended; from then on nothing is said any more.
    ADD COLUMN ended_at timestamptz;
COMMENT ON TABLE conversations IS
    'Conversations between two parties of an order, between two friends, or between somebody and the support.';
