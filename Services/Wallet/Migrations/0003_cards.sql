-- Cards as the payment provider knows them. No number, no CVV.
CREATE TABLE cards (
    id           uuid PRIMARY KEY,
    account      uuid NOT NULL,
    reference    text NOT NULL,
    brand        text NOT NULL,
    last_four    text NOT NULL CHECK (last_four ~ '^[0-9]{4}$'),
    expiry_month smallint NOT NULL,
    expiry_year  smallint NOT NULL,
    holder       text NOT NULL,
    added_at     timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX cards_of_account ON cards (account, id);
