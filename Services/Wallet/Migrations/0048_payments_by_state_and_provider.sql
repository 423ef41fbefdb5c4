-- Outside a transaction: the table may be large. Admins list the few payments that are on their way; of the states in which they
-- end, a page is found soon among all.
DROP INDEX CONCURRENTLY IF EXISTS payments_on_their_way;
CREATE INDEX CONCURRENTLY payments_on_their_way ON payments (market, state, made_at, id)
    WHERE state NOT IN ('captured', 'released', 'closed');
-- The newest payment of a provider, whose name the list of subscribers shows; it takes the place of payments_of_provider.
DROP INDEX CONCURRENTLY IF EXISTS payments_of_provider_by_time;
CREATE INDEX CONCURRENTLY payments_of_provider_by_time ON payments (provider, made_at) WHERE provider IS NOT NULL;
DROP INDEX CONCURRENTLY IF EXISTS payments_of_provider;
