-- Outside a transaction: the table may be large. What is to be removed at the payment provider is looked for among the stored cards.
DROP INDEX CONCURRENTLY IF EXISTS cards_by_reference;
CREATE INDEX CONCURRENTLY cards_by_reference ON cards (reference);
