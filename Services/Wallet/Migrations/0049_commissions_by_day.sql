-- What an order's payment came to for each party and the platform, by the ledger's own entries: from the capture, or from
-- the commission of what was paid in cash. Transfers are found by their keys, since commands of other services may name an
-- order as their subject, too. The platform's share of the merchants' parts and of its own fee is computed as in
-- Payments/Rules/Division.swift; the rest is the provider's commission, or the merchants' when there is no provider.
-- `platform` is the platform's own: what it sells itself, such as a hire, and its fees.
CREATE VIEW commission_parts AS
SELECT transfers.id AS transfer, payments.order_id, payments.market, payments.currency, transfers.at, transfers.chain,
    line.party, line.basis_points, line.revenue::bigint AS revenue, line.commission::bigint AS commission
FROM transfers
JOIN payments ON payments.order_id = transfers.subject
CROSS JOIN LATERAL (
    SELECT coalesce(sum(entries.amount), 0)::numeric AS amount
    FROM entries JOIN accounts ON accounts.id = entries.account
    WHERE entries.transfer = transfers.id AND accounts.kind = 'platform'
) AS earned
CROSS JOIN LATERAL (
    SELECT coalesce(sum((part.payee->>'amount')::numeric), 0) AS paid,
        coalesce(bool_or(part.payee->>'party' = 'provider'), payments.provider IS NOT NULL) AS provided,
        coalesce(bool_or(part.payee->>'party' = 'merchant'), false) AS sold
    FROM jsonb_array_elements(payments.payees) AS part (payee)
) AS who
CROSS JOIN LATERAL (
    SELECT greatest(coalesce(payments.total, payments.amount)::numeric, who.paid, 1) AS total,
        coalesce(payments.settled, payments.amount)::numeric AS price
) AS whole
CROSS JOIN LATERAL (
    SELECT CASE
        WHEN NOT who.provided AND NOT who.sold THEN earned.amount
        WHEN payments.payees = '[]' THEN 0
        ELSE div((whole.total - who.paid) * whole.price, whole.total) END AS fee
) AS own
CROSS JOIN LATERAL (
    SELECT coalesce(sum(share.gross), 0) AS gross,
        coalesce(sum(div(share.gross * payments.merchant_commission_basis_points + 5000, 10000)), 0) AS commission
    FROM jsonb_array_elements(payments.payees) AS part (payee)
    CROSS JOIN LATERAL (SELECT div((part.payee->>'amount')::numeric * whole.price, whole.total)) AS share (gross)
    WHERE part.payee->>'party' = 'merchant'
) AS sale
CROSS JOIN LATERAL (VALUES
    ('provider', payments.commission_basis_points, whole.price - own.fee - sale.gross,
        earned.amount - own.fee - sale.commission, who.provided),
    ('merchant', payments.merchant_commission_basis_points,
        CASE WHEN who.provided THEN sale.gross ELSE whole.price - own.fee END,
        CASE WHEN who.provided THEN sale.commission ELSE earned.amount - own.fee END, who.sold),
    ('platform', 10000, own.fee, own.fee, own.fee > 0)
) AS line (party, basis_points, revenue, commission, counts)
WHERE transfers.kind IN ('capture', 'commission') AND transfers.key = transfers.kind || ':' || transfers.subject
    AND line.counts;

CREATE TABLE commission_lines (
    order_id     uuid NOT NULL REFERENCES payments (order_id),
    party        text NOT NULL CHECK (party IN ('provider', 'merchant', 'platform')),
    market       text NOT NULL,
    currency     currency NOT NULL,
    basis_points bigint NOT NULL,
    revenue      bigint NOT NULL,
    commission   bigint NOT NULL,
    at           timestamptz NOT NULL,
    PRIMARY KEY (order_id, party)
);
COMMENT ON TABLE commission_lines IS
    'What each ended payment came to for one party and the platform, as commission_parts says when it is posted';
-- The parts of a day at both ends of a time.
CREATE INDEX commission_lines_of_market ON commission_lines (market, currency, at)
    INCLUDE (party, basis_points, revenue, commission);

-- A day is one of UTC: a market's zone may change, and no day of a zone is a day of another.
CREATE TABLE commission_days (
    market       text NOT NULL,
    currency     currency NOT NULL,
    day          timestamptz NOT NULL CHECK (day = date_trunc('day', day, 'UTC')),
    party        text NOT NULL,
    basis_points bigint NOT NULL,
    -- The chain of the transfers. Whoever posts has locked it until the commit, so nobody ever waits for these rows. 0 is
    -- for what was there before this table.
    shard        smallint NOT NULL,
    payments     bigint NOT NULL,
    revenue      bigint NOT NULL,
    commission   bigint NOT NULL,
    PRIMARY KEY (market, currency, day, party, basis_points, shard)
) WITH (fillfactor = 70);
COMMENT ON TABLE commission_days IS
    'Sums of commission_lines by UTC day, party, ratio and chain, kept by each posting; they stay when names are forgotten';

-- At the commit, when the payment has its final price and all entries are there, whichever version of the program posts.
-- The tables are this schema's, whatever the session's path is.
CREATE FUNCTION write_commission() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
    WITH line AS (
        INSERT INTO commission_lines (order_id, party, market, currency, basis_points, revenue, commission, at)
        SELECT order_id, party, market, currency, basis_points, revenue, commission, at
        FROM commission_parts WHERE transfer = NEW.id
        ON CONFLICT (order_id, party) DO NOTHING
        RETURNING market, currency, at, party, basis_points, revenue, commission
    )
    INSERT INTO commission_days AS sums (
        market, currency, day, party, basis_points, shard, payments, revenue, commission)
    SELECT market, currency, date_trunc('day', at, 'UTC'), party, basis_points, NEW.chain, 1, revenue, commission
    FROM line ORDER BY party
    ON CONFLICT (market, currency, day, party, basis_points, shard) DO UPDATE
    SET payments = sums.payments + excluded.payments, revenue = sums.revenue + excluded.revenue,
        commission = sums.commission + excluded.commission;
    RETURN NULL;
END
$$;
CREATE CONSTRAINT TRIGGER transfers_earn AFTER INSERT ON transfers DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW WHEN (NEW.kind IN ('capture', 'commission') AND NEW.key = NEW.kind || ':' || NEW.subject)
    EXECUTE FUNCTION write_commission();
