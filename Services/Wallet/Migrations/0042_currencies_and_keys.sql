-- One form of a currency for all tables, and the keys that were missing between them.
--
-- The rows of before are looked through first, under locks that hold nobody up: a type with a condition would be compared with
-- each row of each table while all wait. So the type is given without its condition, which takes no look at any row, and the
-- condition after that; it holds for what is written from then on.
DO $$
DECLARE
    place record;
    wrong text;
BEGIN
    FOR place IN
        SELECT table_name AS name FROM information_schema.columns JOIN information_schema.tables USING (table_schema, table_name)
        WHERE table_schema = current_schema() AND table_type = 'BASE TABLE' AND column_name = 'currency'
    LOOP
        EXECUTE format('SELECT currency FROM %I WHERE currency !~ ''^[A-Z]{3}$'' LIMIT 1', place.name) INTO wrong;
        IF wrong IS NOT NULL THEN
            RAISE EXCEPTION 'in % stands the currency "%"', place.name, wrong USING ERRCODE = 'check_violation';
        END IF;
    END LOOP;
END
$$;

CREATE DOMAIN currency AS text;
COMMENT ON DOMAIN currency IS 'A currency of ISO 4217, three capital letters. Amounts beside it are in its minor units.';

-- Constraints and triggers that name the column go for the moment; three indexes of the few unpaid fines and debts are built anew.
-- The condition of accounts becomes the type's, and 0044 looks at that of holds again.
ALTER TABLE accounts DROP CONSTRAINT accounts_currency_check;
ALTER TABLE holds DROP CONSTRAINT holds_whole;
DROP TRIGGER accounts_keep_their_owner ON accounts;
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
ALTER TABLE holds ADD CONSTRAINT holds_whole CHECK (
    state = 'neverBegan' OR (owner IS NOT NULL AND currency IS NOT NULL AND amount IS NOT NULL AND subject IS NOT NULL)
) NOT VALID;
CREATE TRIGGER accounts_keep_their_owner
    BEFORE UPDATE OF id, kind, owner, currency, shard, floor, opened_at OR DELETE OR TRUNCATE ON accounts
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_other_owner();

-- Asked at the commit, so that it does not matter which of two rows a transaction writes first. No payment, charge or code is
-- ever deleted, so nothing has to follow. 0044 looks at the rows of before.
ALTER TABLE payments
    ADD CONSTRAINT payments_charge_fkey FOREIGN KEY (charge) REFERENCES charges DEFERRABLE INITIALLY DEFERRED NOT VALID,
    ADD CONSTRAINT payments_promo_use_fkey
        FOREIGN KEY (promo_use) REFERENCES promo_uses DEFERRABLE INITIALLY DEFERRED NOT VALID,
    ADD CONSTRAINT payments_promo_code_fkey
        FOREIGN KEY (promo_code) REFERENCES promo_codes DEFERRABLE INITIALLY DEFERRED NOT VALID;
ALTER TABLE promo_uses
    ADD CONSTRAINT promo_uses_order_id_fkey
        FOREIGN KEY (order_id) REFERENCES payments (order_id) DEFERRABLE INITIALLY DEFERRED NOT VALID;
ALTER TABLE disputes
    ADD CONSTRAINT disputes_charge_fkey FOREIGN KEY (charge) REFERENCES charges DEFERRABLE INITIALLY DEFERRED NOT VALID,
    ADD CONSTRAINT disputes_order_id_fkey
        FOREIGN KEY (order_id) REFERENCES payments (order_id) DEFERRABLE INITIALLY DEFERRED NOT VALID;
ALTER TABLE refunds
    ADD CONSTRAINT refunds_order_id_fkey
        FOREIGN KEY (order_id) REFERENCES payments (order_id) DEFERRABLE INITIALLY DEFERRED NOT VALID;
ALTER TABLE tips
    ADD CONSTRAINT tips_order_id_fkey
        FOREIGN KEY (order_id) REFERENCES payments (order_id) DEFERRABLE INITIALLY DEFERRED NOT VALID;
ALTER TABLE desk_cash
    ADD CONSTRAINT desk_cash_order_id_fkey
        FOREIGN KEY (order_id) REFERENCES payments (order_id) DEFERRABLE INITIALLY DEFERRED NOT VALID;
ALTER TABLE unattended_payments
    ADD CONSTRAINT unattended_payments_order_id_fkey
        FOREIGN KEY (order_id) REFERENCES payments (order_id) DEFERRABLE INITIALLY DEFERRED NOT VALID;
