-- Friends write to each other as long as their link holds, and the people of a group of friends as long as it is there. The next
-- migration makes the indexes.
ALTER TABLE conversations
    ADD COLUMN link_id uuid,
    ADD COLUMN group_id uuid,
    -- Of a group: as it calls itself, and which version of it is the newest that was heard.
    ADD COLUMN title text,
    ADD COLUMN version bigint,
    -- When the link or the group ended; from then on nothing is said any more.
    ADD COLUMN ended_at timestamptz;
COMMENT ON TABLE conversations IS
    'Conversations between two parties of an order, of friends, of a group of friends, or between somebody and the support.';
COMMENT ON COLUMN conversation_members.role IS
    'customer, provider, merchant; of friends asking, asked; of a group leader, member-1, member-2.';
