-- What customers got back of what restaurants sold, by decisions and by refunds that the restaurant funded, on the day of the
-- sale. The program of before knows nothing of it, and shows what was sold.
CREATE TABLE restaurant_returns (
    restaurant uuid NOT NULL REFERENCES restaurants (id) ON DELETE CASCADE,
    day        date NOT NULL,
    currency   text NOT NULL,
    -- Minor units, before the platform's share.
    amount     bigint NOT NULL,
    PRIMARY KEY (restaurant, day, currency)
);

-- Minor units that providers have given back by refunds that they funded. Earned is the amount less this.
ALTER TABLE earnings ADD COLUMN returned bigint NOT NULL DEFAULT 0;
