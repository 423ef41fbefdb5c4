-- One form of a currency, and the purpose of each table, for those who read the database itself. The rows of before are looked
-- through first, under a lock that holds nobody up; see the wallet's 0042.
DO $$
DECLARE
    wrong text;
BEGIN
    SELECT currency INTO wrong FROM payments WHERE currency !~ '^[A-Z]{3}$' LIMIT 1;
    IF wrong IS NOT NULL THEN
        RAISE EXCEPTION 'in payments stands the currency "%"', wrong USING ERRCODE = 'check_violation';
    END IF;
END
$$;
CREATE DOMAIN currency AS text;
COMMENT ON DOMAIN currency IS 'A currency of ISO 4217, three capital letters. Amounts beside it are in its minor units.';
DO $$
DECLARE
    place record;
BEGIN
    FOR place IN
        SELECT table_name AS name FROM information_schema.columns JOIN information_schema.tables USING (table_schema, table_name)
        WHERE table_schema = current_schema() AND table_type = 'BASE TABLE' AND column_name = 'currency' ORDER BY 1
    LOOP
        EXECUTE format('ALTER TABLE %I ALTER COLUMN currency TYPE currency', place.name);
    END LOOP;
END
$$;
ALTER DOMAIN currency ADD CONSTRAINT currency_has_three_letters CHECK (VALUE ~ '^[A-Z]{3}$') NOT VALID;

COMMENT ON TABLE audit IS
    'Acts of admins and operators. Never changed or deleted; ids instead of names.';
COMMENT ON TABLE markets IS
    'The version of each market''s settings. Each change of a setting locks the row.';
COMMENT ON TABLE order_events IS
    'The timeline of each order, one row for a message. Events come in any order, also before their order.';
COMMENT ON TABLE orders IS
    'Orders as dispatch tells of them, for lists and figures.';
COMMENT ON TABLE payments IS
    'Payments as the wallet tells of them. Sums are computed from these rows, so that no repeat counts twice.';
COMMENT ON TABLE people IS
    'People as identity tells of them.';
COMMENT ON TABLE people_of_markets IS
    'A person once for each market that he or she has roles in. The market * is all of them.';
COMMENT ON TABLE ratings IS
    'Stars that parties of orders gave each other, as dispatch tells.';
COMMENT ON TABLE reports IS
    'Reports of the parties of orders, with the decisions and answers of admins.';
COMMENT ON TABLE setting_proposals IS
    'Changes of settings that guard money, as one admin asked for them, until another one asks for the same.';
COMMENT ON TABLE settings IS
    'Settings that admins chose for their markets.';

COMMENT ON COLUMN payments.currency IS
    'Amounts beside it are in its minor units.';
COMMENT ON COLUMN audit.recorded_at IS
    'When this service wrote it; at is when it was done.';
COMMENT ON COLUMN order_events.former IS
    'The provider whom the order lost by this event.';
COMMENT ON TABLE sums_of_days IS
    'Figures of days whose orders are past their time, without people.';
COMMENT ON TABLE forgotten_orders IS
    'By market: orders requested before have been deleted, and a late event brings none back.';
