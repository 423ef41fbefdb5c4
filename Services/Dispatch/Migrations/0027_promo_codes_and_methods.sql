-- Promo codes as the wallet tells of them (C7), so that quotes say what they give. The newest version wins.
CREATE TABLE promo_codes (
    id                uuid PRIMARY KEY,
    version           bigint NOT NULL,
    market            text NOT NULL,
    -- In capitals; in another market it is another code.
    code              text NOT NULL,
    -- One of both: hundredths of a percent, with at most so much; or an amount. Minor units.
    basis_points      integer,
    maximum           bigint,
    amount            bigint,
    starts_at         timestamptz NOT NULL,
    ends_at           timestamptz,
    ended_at          timestamptz,
    minimum_price     bigint NOT NULL,
    limit_per_account bigint,
    is_used_up        boolean NOT NULL
);
CREATE INDEX promo_codes_by_code ON promo_codes (code);

-- Which code the payment of an order goes on with, or did, as the wallet tells: so that who has used one often enough is told.
CREATE TABLE promo_uses (
    order_id   uuid PRIMARY KEY REFERENCES orders ON DELETE CASCADE,
    promo_code uuid NOT NULL,
    account    uuid NOT NULL,
    -- Not once it has come to nothing.
    counts     boolean NOT NULL,
    -- The payment's.
    version    bigint NOT NULL
);
CREATE INDEX promo_uses_of_account ON promo_uses (account, promo_code) WHERE counts;

-- How often an account has named codes that there are not; codes are not to be guessed.
CREATE TABLE promo_misses (
    account uuid PRIMARY KEY,
    since   timestamptz NOT NULL,
    count   integer NOT NULL
);

-- Who has a stored card that can be charged, as the wallet tells (W3). The newest version wins.
CREATE TABLE payment_methods (
    account    uuid PRIMARY KEY,
    has_method boolean NOT NULL,
    -- 0 is a guess, until the wallet has told.
    version    bigint NOT NULL
);
-- Who has paid by card had one; nobody waits for the wallet to tell again what it told before somebody listened.
INSERT INTO payment_methods (account, has_method, version)
SELECT DISTINCT customer, true, 0 FROM orders WHERE payment_method = 'card' ON CONFLICT DO NOTHING;
