-- Outside a transaction: the table may be large. A merchant who leaves is looked for among the shares of orders.
DROP INDEX CONCURRENTLY IF EXISTS orders_of_merchant;
CREATE INDEX CONCURRENTLY orders_of_merchant ON orders USING gin ((snapshot -> 'shares') jsonb_path_ops)
    WHERE snapshot -> 'shares' @> '[{"party": "merchant"}]';
