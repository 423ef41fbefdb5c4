-- What people write of a place is sealed (I14), and begins with `sealed:`. What was stored clear is sealed by a pass; these
-- are the rows that it looks for.
CREATE INDEX orders_with_clear_places ON orders (id)
    WHERE description NOT LIKE 'sealed:%' OR destination_description NOT LIKE 'sealed:%';

COMMENT ON COLUMN orders.description IS 'What the customer has written of the place, encrypted; the key is outside of the database.';
COMMENT ON COLUMN orders.destination_description IS 'As description, of the destination.';
COMMENT ON COLUMN series.description IS 'As orders.description.';
COMMENT ON COLUMN quotes.from_description IS 'As orders.description.';
COMMENT ON COLUMN quotes.to_description IS 'As orders.description.';
