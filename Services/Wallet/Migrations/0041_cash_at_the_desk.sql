-- What admins have taken in cash, each for one order. Read to limit what one of them takes within a day.
CREATE TABLE desk_cash (
    order_id uuid PRIMARY KEY,
    market   text NOT NULL,
    admin    uuid NOT NULL,
    currency text NOT NULL,
    amount   bigint NOT NULL CHECK (amount > 0),
    at       timestamptz NOT NULL
);
CREATE INDEX desk_cash_of_admin ON desk_cash (admin, at);
