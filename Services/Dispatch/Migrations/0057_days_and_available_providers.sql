-- Outside a transaction: visits by their time, the ended ones, too, for the calendars of partners side by side; and who is
-- available, for the live map.
DROP INDEX CONCURRENTLY IF EXISTS orders_of_care_days;
CREATE INDEX CONCURRENTLY orders_of_care_days ON orders (market, (coalesce(scheduled_at, requested_at)), id)
WHERE kind = 'homeCare';
DROP INDEX CONCURRENTLY IF EXISTS provider_roles_available;
CREATE INDEX CONCURRENTLY provider_roles_available ON provider_roles (market, account) WHERE available;
