CREATE TABLE promo_codes (
    id                uuid PRIMARY KEY,
    market            text NOT NULL,
    currency          text NOT NULL,
    code              text NOT NULL,
    -- One of both: hundredths of a percent, with at most so much; or an amount.
    basis_points      integer CHECK (basis_points BETWEEN 1 AND 10000),
    maximum           bigint CHECK (maximum > 0),
    amount            bigint CHECK (amount > 0),
    starts_at         timestamptz NOT NULL,
    ends_at           timestamptz,
    minimum_price     bigint NOT NULL CHECK (minimum_price >= 0),
    use_limit         bigint CHECK (use_limit > 0),
    limit_per_account bigint CHECK (limit_per_account > 0),
    ended_at          timestamptz,
    made_by           uuid NOT NULL,
    made_at           timestamptz NOT NULL,
    -- Uses taken, less those returned and settled. Changed under the row's lock.
    uses              bigint NOT NULL DEFAULT 0 CHECK (uses >= 0),
    UNIQUE (market, code),
    CHECK ((basis_points IS NULL) <> (amount IS NULL))
) WITH (fillfactor = 70);
CREATE INDEX promo_codes_of_market ON promo_codes (market, made_at, id);

CREATE TABLE promo_uses (
    id          uuid PRIMARY KEY,
    code        uuid NOT NULL REFERENCES promo_codes,
    account     uuid NOT NULL,
    order_id    uuid NOT NULL,
    discount    bigint NOT NULL CHECK (discount >= 0),
    at          timestamptz NOT NULL,
    -- When its payment came to nothing.
    returned_at timestamptz,
    -- Whether it was taken off its code's count.
    settled     boolean NOT NULL DEFAULT false
);
CREATE UNIQUE INDEX promo_uses_of_order ON promo_uses (order_id) WHERE returned_at IS NULL;
CREATE INDEX promo_uses_of_account ON promo_uses (code, account) INCLUDE (discount) WHERE returned_at IS NULL;
CREATE INDEX promo_uses_unsettled ON promo_uses (code) WHERE returned_at IS NOT NULL AND NOT settled;

-- How often an account has tried a code, right or wrong.
CREATE TABLE promo_attempts (
    account uuid PRIMARY KEY,
    since   timestamptz NOT NULL,
    count   integer NOT NULL
);

ALTER TABLE payments
    ADD COLUMN promo_use uuid,
    -- What of the amount the platform pays.
    ADD COLUMN discount bigint NOT NULL DEFAULT 0 CHECK (discount BETWEEN 0 AND amount);
-- Whatever the program does, no more goes back than the customer has paid.
ALTER TABLE payments
    DROP CONSTRAINT payments_refunded_check,
    ADD CONSTRAINT payments_refunded_check CHECK (
        refunded BETWEEN 0 AND greatest(coalesce(settled, 0) - discount, 0) + tipped
        AND refunded_to_card BETWEEN 0 AND greatest(coalesce(settled, 0) - discount, 0));
