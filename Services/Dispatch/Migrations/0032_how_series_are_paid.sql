-- How the visits of a series are paid without asking, what its customer agreed that each costs, and which admin began it
-- for a caller.
ALTER TABLE series
    ADD COLUMN method       text,
    ADD COLUMN card         uuid,
    ADD COLUMN agreed_at    timestamptz,
    ADD COLUMN agreed_total bigint,
    ADD COLUMN ordered_by   uuid;
-- What is charged now is what was agreed to: the price of the newest visit.
UPDATE series SET agreed_total = (
    SELECT orders.total FROM series_occurrences AS visit JOIN orders ON orders.id = visit.order_id
    WHERE visit.series = series.id ORDER BY visit.day DESC LIMIT 1)
WHERE state = 'active';
CREATE INDEX series_of_recipient ON series (recipient) WHERE recipient IS NOT NULL;
-- How often a customer was asked for a yes to a price that rose.
ALTER TABLE series_occurrences ADD COLUMN price_notices smallint NOT NULL DEFAULT 0;
-- Visits that ended unpaid, for the desk.
CREATE INDEX orders_unpaid_visits ON orders (market, (coalesce(scheduled_at, requested_at)), id)
    WHERE kind = 'homeCare' AND state = 'expired' AND reason = 'payment-window-over';
