-- What was posted before the trigger was there. A migration of its own: the trigger's keeps all postings waiting until it
-- ends, and this one keeps none. What is posted meanwhile writes its own lines and sums, and no row of shard 0.
WITH line AS (
    INSERT INTO commission_lines (order_id, party, market, currency, basis_points, revenue, commission, at)
    SELECT order_id, party, market, currency, basis_points, revenue, commission, at FROM commission_parts
    ON CONFLICT (order_id, party) DO NOTHING
    RETURNING market, currency, at, party, basis_points, revenue, commission
)
INSERT INTO commission_days (market, currency, day, party, basis_points, shard, payments, revenue, commission)
SELECT market, currency, date_trunc('day', at, 'UTC'), party, basis_points, 0, count(*), sum(revenue), sum(commission)
FROM line GROUP BY 1, 2, 3, 4, 5;
