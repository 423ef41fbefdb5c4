-- In which currency a price was set: it counts only while that is the market's. Null is what the market began with, as of
-- all prices from before a market could change it.
ALTER TABLE offerings ADD COLUMN currency text;
ALTER TABLE menu_items ADD COLUMN currency text;
-- In which currency its customer agreed to have its visits charged.
ALTER TABLE series ADD COLUMN currency text;

-- What was sold, by day of the market, item and the order's currency. It goes on from restaurant_sales, which has what was
-- sold before, in the currency that the market began with.
CREATE TABLE restaurant_takings (
    restaurant uuid NOT NULL REFERENCES restaurants (id) ON DELETE CASCADE,
    day        date NOT NULL,
    item       uuid NOT NULL,
    currency   text NOT NULL,
    name       text NOT NULL,
    count      bigint NOT NULL,
    -- Minor units, before the platform's share.
    amount     bigint NOT NULL,
    PRIMARY KEY (restaurant, day, item, currency)
);
