-- What was said that an order will cost (C7).
CREATE TABLE quotes (
    id               uuid PRIMARY KEY,
    market           text NOT NULL,
    account          uuid NOT NULL,
    kind             text NOT NULL,
    tariff           text NOT NULL,
    from_latitude    double precision NOT NULL,
    from_longitude   double precision NOT NULL,
    from_description text,
    to_latitude      double precision NOT NULL,
    to_longitude     double precision NOT NULL,
    to_description   text,
    -- Way, fare and surge, as they were.
    terms            jsonb NOT NULL,
    -- Minor units.
    total            bigint NOT NULL CHECK (total >= 0),
    currency         text NOT NULL,
    promo            text,
    made_at          timestamptz NOT NULL,
    expires_at       timestamptz NOT NULL,
    -- The order that it was used for, by an update that is guarded by its being null.
    order_id         uuid UNIQUE
);
-- What nobody used is removed after its end.
CREATE INDEX quotes_unused ON quotes (expires_at) WHERE order_id IS NULL;
CREATE INDEX quotes_of_account ON quotes (account);

-- Orders around a place that have not ended; which of them wait for somebody is looked at in their rows.
CREATE INDEX orders_running ON orders (market, kind, latitude) WHERE NOT is_final;
