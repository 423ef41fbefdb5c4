-- Outside a transaction: the table may be large.
DROP INDEX CONCURRENTLY IF EXISTS conversations_of_link;
CREATE UNIQUE INDEX CONCURRENTLY conversations_of_link ON conversations (link_id) WHERE link_id IS NOT NULL;
DROP INDEX CONCURRENTLY IF EXISTS conversations_of_group;
CREATE UNIQUE INDEX CONCURRENTLY conversations_of_group ON conversations (group_id) WHERE group_id IS NOT NULL;
-- What is deleted after its time: not the talk of friends who still are.
DROP INDEX CONCURRENTLY IF EXISTS conversations_over;
CREATE INDEX CONCURRENTLY conversations_over ON conversations (market, last_at)
    WHERE link_id IS NULL AND group_id IS NULL OR ended_at IS NOT NULL;
DROP INDEX CONCURRENTLY IF EXISTS conversations_last_at;
