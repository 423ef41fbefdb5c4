-- One form of a currency for all tables, and the keys that were missing between them. The rows of before are looked through
-- first, under locks that hold nobody up; see the wallet's 0042.
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
-- A view's column has its table's type: the view is made again as it was.
DO $$
DECLARE
    definition text := pg_get_viewdef('order_details'::regclass);
    place      record;
BEGIN
    DROP VIEW order_details;
    FOR place IN
        SELECT table_name AS name FROM information_schema.columns JOIN information_schema.tables USING (table_schema, table_name)
        WHERE table_schema = current_schema() AND table_type = 'BASE TABLE' AND column_name = 'currency' ORDER BY 1
    LOOP
        EXECUTE format('ALTER TABLE %I ALTER COLUMN currency TYPE currency', place.name);
    END LOOP;
    EXECUTE 'CREATE VIEW order_details AS ' || definition;
END
$$;
ALTER DOMAIN currency ADD CONSTRAINT currency_has_three_letters CHECK (VALUE ~ '^[A-Z]{3}$') NOT VALID;

-- A visit may have outlived its order, which was requested before the visit.
UPDATE series_occurrences SET order_id = NULL
WHERE order_id IS NOT NULL AND NOT EXISTS (SELECT FROM orders WHERE orders.id = order_id);

-- Pictures from before there were photos here.
UPDATE menu_items SET picture = NULL
WHERE picture IS NOT NULL AND NOT EXISTS (SELECT FROM photos WHERE photos.id = menu_items.picture);
UPDATE restaurants SET picture = NULL
WHERE picture IS NOT NULL AND NOT EXISTS (SELECT FROM photos WHERE photos.id = restaurants.picture);

-- Asked at the commit: a quote, a bike and a visit are claimed for an order before its row is there. 0054 looks at the rows of
-- before. Codes and quotes go with their order; a bike or a visit stays without it.
ALTER TABLE bikes
    ADD CONSTRAINT bikes_order_id_fkey FOREIGN KEY (order_id) REFERENCES orders ON DELETE SET NULL
        DEFERRABLE INITIALLY DEFERRED NOT VALID;
ALTER TABLE quotes
    ADD CONSTRAINT quotes_order_id_fkey FOREIGN KEY (order_id) REFERENCES orders ON DELETE CASCADE
        DEFERRABLE INITIALLY DEFERRED NOT VALID;
ALTER TABLE series_occurrences
    ADD CONSTRAINT series_occurrences_order_id_fkey FOREIGN KEY (order_id) REFERENCES orders ON DELETE SET NULL
        DEFERRABLE INITIALLY DEFERRED NOT VALID;
ALTER TABLE unlock_codes
    ADD CONSTRAINT unlock_codes_order_id_fkey FOREIGN KEY (order_id) REFERENCES orders ON DELETE CASCADE
        DEFERRABLE INITIALLY DEFERRED NOT VALID;
-- Racks are not deleted, so no index is needed for it.
ALTER TABLE orders
    ADD CONSTRAINT orders_returned_to_fkey FOREIGN KEY (returned_to) REFERENCES racks NOT VALID;
-- A picture that is put on a dish is looked at after the dish is written.
ALTER TABLE menu_items
    ADD CONSTRAINT menu_items_picture_fkey FOREIGN KEY (picture) REFERENCES photos ON DELETE SET NULL
        DEFERRABLE INITIALLY DEFERRED NOT VALID;
ALTER TABLE restaurants
    ADD CONSTRAINT restaurants_picture_fkey FOREIGN KEY (picture) REFERENCES photos ON DELETE SET NULL
        DEFERRABLE INITIALLY DEFERRED NOT VALID;
CREATE INDEX restaurants_with_picture ON restaurants (picture) WHERE picture IS NOT NULL;
