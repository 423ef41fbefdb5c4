-- The wallet's rows of these orders, and what of them admin knows. They are what lists show, not books: no wallet has the money
-- of these transfers, so `wallet verify` finds them wrong.

SELECT setseed(0.75);

CREATE TEMP TABLE paid AS
SELECT *, pg_temp.id_of(at, 'payment', n) AS payment, CASE state WHEN 'completed' THEN 'captured' WHEN 'accepted' THEN 'held' WHEN 'disputed' THEN 'frozen'
    WHEN 'requested' THEN 'due' WHEN 'pending' THEN 'due' ELSE CASE WHEN n % 2 = 0 THEN 'released' ELSE 'closed' END END AS money
FROM made;

INSERT INTO wallet.promo_codes (id, market, currency, code, amount, starts_at, minimum_price, use_limit, made_by, made_at, uses)
SELECT pg_temp.id_of(at, 'code', n), :'market', 'CAD', 'CODE' || n, 500, at, 1000, 1000, master.id, at, 10 FROM person, master WHERE n % 100 = 17;
INSERT INTO wallet.charges (id, purpose, subject, amount, currency, card, state, goal, made_at, method)
SELECT pg_temp.id_of(at, 'charge', n), 'payment', payment, total, 'CAD', 'card', 'captured', 'capture', at, 'card'
FROM paid WHERE money = 'captured' AND method = 'card';
INSERT INTO wallet.payments (
    id, order_id, market, customer, customer_name, provider, provider_name, title, currency, amount, commission_basis_points, order_version, order_state,
    state, method, charge, version, made_at, changed_at, settled, held_at, captured_at, released_at)
SELECT payment, id, :'market', customer, customer_name, provider, CASE WHEN provider IS NOT NULL THEN provider_name END,
    '{"ar": "المرافقة", "en": "Companionship"}', 'CAD', total, 1500, 7, state, money, CASE WHEN money NOT IN ('due', 'closed') THEN method END,
    CASE WHEN money = 'captured' AND method = 'card' THEN pg_temp.id_of(at, 'charge', n) END, 6, at, coalesce(ended_at, at),
    CASE money WHEN 'captured' THEN total END, at + interval '1 minute', CASE money WHEN 'captured' THEN ended_at END,
    CASE money WHEN 'released' THEN ended_at END
FROM paid;
INSERT INTO wallet.promo_uses (id, code, account, order_id, discount, at)
SELECT pg_temp.id_of(paid.at, 'use', paid.n), code.id, paid.customer, paid.id, 500, paid.at
FROM paid JOIN (SELECT row_number() OVER (ORDER BY id) - 1 AS place, id, count(*) OVER () AS count FROM wallet.promo_codes WHERE market = :'market') AS code
    ON code.place = (paid.n / 10) % code.count
WHERE paid.n % 10 = 3;

-- The ledger: what each captured payment came to for the provider and the platform.
INSERT INTO wallet.accounts (kind, owner, currency, shard) SELECT 'wallet', id, 'CAD', 0 FROM worker ON CONFLICT DO NOTHING;
INSERT INTO wallet.accounts (kind, owner, currency, shard)
SELECT 'platform', '00000000-0000-0000-0000-000000000000', 'CAD', shard FROM generate_series(0, 15) AS shard ON CONFLICT DO NOTHING;
-- Far behind the places that the service gives in its chains.
INSERT INTO wallet.transfers (id, key, kind, currency, subject, at, chain, place, hash, form)
SELECT pg_temp.id_of(ended_at, 'transfer', n), 'capture:' || id, 'capture', 'CAD', id, ended_at, 1 + n % 16, 1000000000 + n, sha256(n::text::bytea), 2
FROM paid WHERE money = 'captured';
INSERT INTO wallet.entries (account, transfer, amount, balance)
SELECT account.id, pg_temp.id_of(ended_at, 'transfer', n), amount, amount
FROM paid
CROSS JOIN LATERAL (VALUES
    ('wallet', provider, 0, total - total * 15 / 100),
    ('platform', '00000000-0000-0000-0000-000000000000', (n % 16)::int, total * 15 / 100)
) AS part (kind, owner, shard, amount)
JOIN wallet.accounts AS account ON account.owner = part.owner AND account.kind = part.kind AND account.shard = part.shard AND account.currency = 'CAD'
WHERE money = 'captured';
INSERT INTO wallet.statement_lines (id, account, source, kind, market, currency, amount, order_id, method, title, payer, beneficiary, state, at, changed_at)
SELECT pg_temp.id_of(at, 'line' || kind, n), account, kind || ':' || id, kind, :'market', 'CAD', amount, id, method,
    '{"ar": "المرافقة", "en": "Companionship"}', customer_name, provider_name, 'accepted', ended_at, ended_at
FROM paid CROSS JOIN LATERAL (VALUES ('payment', customer, -total), ('share', provider, total - total * 15 / 100)) AS part (kind, account, amount)
WHERE money = 'captured';

INSERT INTO wallet.refunds (id, order_id, market, customer, currency, amount, destination, funder, reason, by, state, at)
SELECT pg_temp.id_of(ended_at, 'refund', n), paid.id, :'market', customer, 'CAD', 500, (ARRAY['wallet', 'card'])[1 + n % 2],
    (ARRAY['platform', 'provider'])[1 + n % 2], 'Was late', master.id, CASE WHEN n % 64 = 4 THEN 'asked' ELSE 'made' END, ended_at
FROM paid, master WHERE money = 'captured' AND n % 16 = 4;
INSERT INTO wallet.fines (order_id, market, account, currency, amount, provider, to_provider, to_platform, charged_at, due_at, paid_at)
SELECT id, :'market', customer, 'CAD', 1000, provider, 800, 200, ended_at, ended_at + interval '30 days',
    CASE WHEN n % 4 > 0 THEN ended_at + interval '5 days' END
FROM paid WHERE state = 'cancelled';
INSERT INTO wallet.disputes (
    id, reference, kind, state, charge, account, market, order_id, currency, amount, payer, is_debited, is_freezing, reason, made_at, changed_at)
SELECT pg_temp.id_of(ended_at, 'dispute', n), 'dp_' || n, 'dispute', (ARRAY['open', 'won', 'lost'])[1 + n % 3], pg_temp.id_of(at, 'charge', n), customer,
    :'market', id, 'CAD', total, 'wallet', n % 3 <> 1, n % 3 = 0, 'fraudulent', ended_at, ended_at
FROM paid WHERE money = 'captured' AND method = 'card' AND n % 25 = 6;
INSERT INTO wallet.debts (transfer, place, debtor, receiver, currency, amount, unpaid, market, order_id, entry, made_at)
SELECT pg_temp.id_of(ended_at, 'owed', n), 0, customer, provider, 'CAD', 900, CASE WHEN n % 2 = 0 THEN 900 ELSE 0 END, :'market', id, 0, ended_at
FROM paid WHERE money = 'captured' AND n % 20 IN (8, 9);
INSERT INTO wallet.write_offs (id, market, account, currency, amount, reason, by, at)
SELECT pg_temp.id_of(ended_at, 'write-off', n), :'market', customer, 'CAD', 900, 'Has died', master.id, ended_at FROM paid, master
WHERE money = 'captured' AND n % 100 = 14;
INSERT INTO wallet.cash_outs (
    id, account, market, currency, amount, destination_kind, destination, holder, bank_name, country, last_four, state, decided_by, decided_at, made_at)
SELECT pg_temp.id_of(at, 'cash-out', n), provider, :'market', 'CAD', 9000, 'bankAccount', 'ba_' || n, provider_name, 'Bank', 'CA', '1234', it.state,
    CASE WHEN it.state <> 'waiting' THEN master.id END, CASE WHEN it.state <> 'waiting' THEN at END, at
FROM paid, master
CROSS JOIN LATERAL (
    SELECT CASE WHEN n > :orders * 0.9 THEN 'waiting' WHEN n % 50 = 0 THEN 'rejected' WHEN n % 70 = 0 THEN 'failed' ELSE 'paid' END AS state
) AS it
WHERE provider IS NOT NULL AND n % 10 = 0;
INSERT INTO wallet.transfers (id, key, kind, currency, subject, at, chain, place, hash, form)
SELECT pg_temp.id_of(made_at, 'payout', row_number() OVER (ORDER BY id)), 'payout:' || id, 'payout', 'CAD', id, made_at, 1,
    2000000000 + row_number() OVER (ORDER BY id),
    sha256(id::text::bytea), 2
FROM wallet.cash_outs WHERE market = :'market' AND state = 'paid';
INSERT INTO wallet.approvals (id, market, kind, subject, currency, amount, begun_by, begun_at, state, decided_at, reason)
SELECT pg_temp.id_of(at, 'approval', n), :'market', 'cashOut', pg_temp.id_of(at, 'cash-out', n), 'CAD', 9000, master.id, at,
    CASE WHEN n > :orders * 0.9 THEN 'waiting' ELSE 'rejected' END, CASE WHEN n <= :orders * 0.9 THEN at END, CASE WHEN n <= :orders * 0.9 THEN 'Ask again' END
FROM paid, master WHERE provider IS NOT NULL AND n % 40 = 0;

INSERT INTO wallet.subscription_plans (id, market, currency, period, name, brief, price, made_at)
SELECT pg_temp.id_of(now() - interval '365 days', 'plan', n), :'market', 'CAD', 'monthly', '{"ar": "شهر", "en": "Month"}',
    '{"ar": "طلبات", "en": "Requests"}', 5000, now()
FROM generate_series(1, 4) AS n;
INSERT INTO wallet.subscription_periods (
    id, subscription, account, market, plan, plan_name, length, currency, price, method, is_renewal, state, starts_at, ends_at, made_at, paid_at)
SELECT pg_temp.id_of(begin, 'period', n * 10 + month), pg_temp.id_of(at, 'subscription', n), id, :'market',
    pg_temp.id_of(now() - interval '365 days', 'plan', 1 + n % 4),
    '{"ar": "شهر", "en": "Month"}', 'monthly', 'CAD', 5000, 'wallet', month < 5, 'paid', begin, begin + interval '1 month', begin, begin
FROM worker, generate_series(0, 5) AS month
CROSS JOIN LATERAL (SELECT now() - month * interval '1 month' - (worker.n % 50) * interval '1 day' AS begin) AS it;
INSERT INTO wallet.subscriptions (id, account, market, currency, state, ends_at, period, renews, method, version)
SELECT pg_temp.id_of(at, 'subscription', n), id, :'market', 'CAD', CASE WHEN n % 50 < 29 THEN 'active' ELSE 'expired' END, begin + interval '1 month',
    pg_temp.id_of(begin, 'period', n * 10), false, 'wallet', 1
FROM worker CROSS JOIN LATERAL (SELECT now() - (worker.n % 50) * interval '1 day' AS begin) AS it;

INSERT INTO admin.payments (
    order_id, payment, market, version, state, method, amount, currency, provider_share, platform_share, held_at, captured_at, released_at)
SELECT id, payment, :'market', 6, money, method, total, 'CAD', total - total * 15 / 100, total * 15 / 100, at + interval '1 minute',
    CASE money WHEN 'captured' THEN ended_at END, CASE money WHEN 'released' THEN ended_at END
FROM paid WHERE money NOT IN ('due', 'closed');

-- At the commit each captured payment is added to the sums of its day: by plans for tables that are no longer empty.
ANALYZE wallet.payments, wallet.transfers, wallet.entries, wallet.accounts;
