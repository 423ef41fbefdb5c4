-- Orders of a year as dispatch has them, and as admin and notifications know them. The newest ones go on still.

SELECT setseed(0.5);

CREATE TEMP TABLE made AS
SELECT drawn.n, pg_temp.id_of(drawn.at, 'order', drawn.n) AS id, drawn.at, drawn.state, is_final, customer.id AS customer, customer.name AS customer_name,
    CASE WHEN drawn.state NOT IN ('requested', 'pending', 'expired') THEN worker.id END AS provider, worker.name AS provider_name, worker.gender, drawn.total,
    CASE WHEN is_final THEN drawn.at + interval '1 day' ELSE now() + interval '14 days' * random() - interval '2 hours' END AS scheduled_at,
    CASE WHEN is_final THEN least(drawn.at + interval '26 hours', now()) END AS ended_at,
    (ARRAY['wallet', 'card', 'cash'])[1 + (drawn.n % 10 > 5)::int + (drawn.n % 10 = 9)::int] AS method
FROM (
    SELECT n, pg_temp.time_of(n, :orders) AS at, n <= :orders * 0.98 AS is_final, 2000 + floor(random() * 160)::bigint * 100 AS total,
        CASE WHEN n <= :orders * 0.98
            THEN CASE WHEN draw < 0.84 THEN 'completed' WHEN draw < 0.93 THEN 'cancelled' WHEN draw < 0.98 THEN 'expired' ELSE 'refused' END
            ELSE CASE WHEN draw < 0.3 THEN 'requested' WHEN draw < 0.8 THEN 'accepted' WHEN draw < 0.87 THEN 'pending' ELSE 'disputed' END
        END AS state,
        1 + floor(pow(random(), 2) * :people * 0.95)::bigint AS customer, 1 + floor(pow(random(), 2) * (SELECT count(*) FROM worker))::bigint AS worker
    FROM (SELECT n, random() AS draw FROM generate_series(1, :orders) AS n) AS number
) AS drawn
JOIN person AS customer ON customer.n = drawn.customer + (drawn.customer % 20 = 0)::int
JOIN worker ON worker.place = drawn.worker;
CREATE UNIQUE INDEX ON made (n);
ANALYZE made;

INSERT INTO dispatch.orders (
    id, market, kind, version, state, customer, provider, services, total, currency, payment_method, payment_state, payment_version, confirmed_by,
    changed_by, reason, is_near, latitude, longitude, requested_at, changed_at, scheduled_at, accepted_at, ended_at, ended_by, particulars)
SELECT id, :'market', 'homeCare', 7, state, customer, provider,
    '[{"names": {"ar": "المرافقة", "en": "Companionship"}, "price": 3000, "service": "companionship"}]', total, 'CAD', method,
    CASE state WHEN 'completed' THEN 'captured' WHEN 'accepted' THEN 'held' WHEN 'disputed' THEN 'held' ELSE 'unpaid' END, 1,
    CASE state WHEN 'completed' THEN '{provider}'::text[] ELSE '{}' END, 'system',
    CASE WHEN state = 'expired' AND n % 2 = 0 THEN 'payment-window-over' WHEN state = 'cancelled' THEN 'other' END, false,
    50.4452 + (n % 97 - 48) * 0.001, -104.6189 + (n % 89 - 44) * 0.001, at, coalesce(ended_at, at), scheduled_at,
    CASE WHEN provider IS NOT NULL THEN at + interval '9 minutes' END, ended_at, CASE WHEN is_final THEN 'system' END,
    CASE WHEN state = 'requested' AND n % 9 = 0 THEN '{"homeCare": {"minutes": 60, "warnedAt": 817526458}}' ELSE '{"homeCare": {"minutes": 60}}' END::jsonb
FROM made;
INSERT INTO dispatch.ratings (order_id, given_by, stars, service_stars, comment, given_at)
SELECT id, 'customer', 3 + n % 3, 4, CASE WHEN n % 4 = 0 THEN 'On time' END, ended_at FROM made WHERE state = 'completed' AND n % 5 < 3;
INSERT INTO dispatch.reports (id, order_id, made_by, reason, note, cancels, at)
SELECT pg_temp.id_of(at, 'report', n), id, 'customer', 'other', 'It rains', false, at + interval '20 hours' FROM made WHERE provider IS NOT NULL AND n % 15 = 0;
INSERT INTO dispatch.series (
    id, market, customer, services, latitude, longitude, rule, first_day, minute, exceptions, state, created_at, ended_at, currency,
    method, agreed_at, agreed_total)
SELECT pg_temp.id_of(at, 'series', n), :'market', customer, '{companionship}', 50.4452, -104.6189, 'FREQ=WEEKLY;BYDAY=MO,TH', at::date + 2, 600, '{}',
    CASE WHEN n % 3 > 0 THEN 'ended' ELSE 'active' END, at, CASE WHEN n % 3 > 0 THEN least(at + interval '30 days', now()) END, 'CAD', 'wallet', at, total
FROM made WHERE n % 30 = 1;

INSERT INTO admin.orders (id, market, version, state, customer, provider, requested_at, accepted_at, ended_at, snapshot, accepted_version)
SELECT id, :'market', 7, state, customer, provider, at, CASE WHEN provider IS NOT NULL THEN at + interval '9 minutes' END, ended_at,
    jsonb_strip_nulls(jsonb_build_object(
        'by', 'system', 'kind', 'homeCare', 'order', id, 'state', state, 'total', jsonb_build_object('amount', total, 'currency', 'CAD'),
        'market', :'market', 'version', 7, 'payment', jsonb_build_object('state', CASE state WHEN 'completed' THEN 'captured' ELSE 'unpaid' END, 'method', method),
        'customer', jsonb_build_object('name', customer_name, 'account', customer),
        'provider', CASE WHEN provider IS NOT NULL THEN jsonb_build_object('name', provider_name, 'gender', gender, 'account', provider) END,
        'services', '[{"name": {"ar": "المرافقة", "en": "Companionship"}, "price": 3000, "service": "companionship"}]'::jsonb,
        'confirmedBy', '[]'::jsonb, 'requestedAt', to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
        'changedAt', to_char(coalesce(ended_at, at) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))),
    CASE WHEN provider IS NOT NULL THEN 3 END
FROM made;
INSERT INTO admin.order_events (order_id, message, at, name, state, version, actor)
SELECT id, pg_temp.id_of(at, event, n), at + after, 'dispatch.order.' || event || '.v1', event, version, 'system'
FROM made, (VALUES ('requested', 1, interval '0'), ('accepted', 3, interval '9 minutes'), ('completed', 7, interval '1 day')) AS events (event, version, after)
WHERE made.provider IS NOT NULL OR version = 1;
INSERT INTO admin.ratings (order_id, actor, market, from_account, to_account, stars, service_stars, at)
SELECT id, 'customer', :'market', customer, provider, 3 + n % 3, 4, ended_at FROM made WHERE state = 'completed' AND n % 5 < 3;
INSERT INTO admin.reports (
    id, order_id, market, made_by, account, reason, note, cancels, awaits_decision, at, state, reminders, decision, to_customer, reply, closed_by, closed_at)
SELECT pg_temp.id_of(at, 'report', n), made.id, :'market', 'customer', customer, 'other', 'It rains', n % 2 = 0, n % 2 = 0, at + interval '20 hours', it.state,
    CASE WHEN n % 90 = 0 THEN 1 ELSE 0 END, CASE it.state WHEN 'decided' THEN 'split' END, CASE it.state WHEN 'decided' THEN 1000 END,
    CASE WHEN it.state <> 'open' THEN 'We have looked at it' END, CASE WHEN it.state <> 'open' THEN master.id END,
    CASE WHEN it.state <> 'open' THEN at + interval '2 days' END
FROM made, master CROSS JOIN LATERAL (
    SELECT CASE WHEN n > :orders * 0.9 THEN 'open' WHEN n % 2 = 0 THEN 'decided' ELSE 'answered' END AS state) AS it
WHERE provider IS NOT NULL AND n % 15 = 0;
-- Of five entries four are looks.
INSERT INTO admin.audit (id, at, market, service, action, account, subject, after)
SELECT pg_temp.id_of(at, 'audit', n), at, :'market', (ARRAY['identity', 'dispatch', 'wallet'])[1 + n % 3],
    CASE WHEN n % 5 > 0 THEN 'list.viewed' ELSE (ARRAY['provider.verified', 'refund.made', 'person.banned', 'order.assigned'])[1 + (n / 5) % 4] END, master.id,
    CASE WHEN n % 5 > 0 THEN (ARRAY['people', 'orders', 'payments'])[1 + n % 3] ELSE customer::text END,
    CASE WHEN n % 5 > 0 THEN '{"page": "1"}'::jsonb ELSE jsonb_build_object('order', made.id, 'reason', 'Asked for by phone') END
FROM made, master;
INSERT INTO admin.dead_messages (
    id, queue, key, message_id, name, aggregate, producer, occurred_at, failed_at, reason, failures, is_foreign, state, decisions, payload)
SELECT pg_temp.id_of(at, 'dead', n), 'admin.orders', pg_temp.id_of(at, 'key', n), pg_temp.id_of(at, 'message', n), 'dispatch.order.' || state || '.v1',
    id::text, 'dispatch', at, at, 'no such market', 5, false, 'waiting', 0, '{}'
FROM made WHERE n > :orders * 0.95 AND n % 5 = 0;

INSERT INTO notifications.talk_orders (order_id, market, kind, version, state, customer, provider, ended_at, changed_at)
SELECT id, :'market', 'homeCare', 7, state, customer, provider, ended_at, coalesce(ended_at, at) FROM made;
-- Questions of people are conversations without an order; parties' own ones have one.
INSERT INTO notifications.conversations (id, market, order_id, pair, last_number, created_at, last_at)
SELECT pg_temp.id_of(at, 'talk', n), :'market', CASE WHEN n % 20 = 0 THEN id END, CASE WHEN n % 20 = 0 THEN 'customer provider' END, 1, at, at
FROM made WHERE n % 10 = 0;
INSERT INTO notifications.conversation_members (conversation, account, role, name)
SELECT pg_temp.id_of(at, 'talk', n), customer, 'customer', customer_name FROM made WHERE n % 10 = 0;
INSERT INTO notifications.talk_messages (conversation, number, id, sender, sender_role, kind, body, at)
SELECT pg_temp.id_of(at, 'talk', n), 1, pg_temp.id_of(at, 'said', n), customer, 'customer', 'text', 'When do you come?', at FROM made WHERE n % 10 = 0;
INSERT INTO notifications.message_reports (id, market, conversation, number, reporter, reason, made_at)
SELECT pg_temp.id_of(at, 'complaint', n), :'market', pg_temp.id_of(at, 'talk', n), 1, customer, 'rude', at FROM made WHERE n % 100 = 0;
INSERT INTO notifications.inquiries (id, market, account, section, title, is_answered, created_at, last_at)
SELECT pg_temp.id_of(at, 'talk', n), :'market', customer, (ARRAY['customers', 'providers'])[1 + (n % 40 = 10)::int], 'Where is my receipt?',
    n <= :orders * 0.9, at, at
FROM made WHERE n % 20 = 10;

-- What only another market has: restaurants with their dishes, and racks with bikes.
INSERT INTO dispatch.provider_roles (market, account, title, verified) SELECT 'btnc', id, 'restaurant', n % 250 <> 1 FROM person WHERE n % 50 = 1;
INSERT INTO dispatch.restaurants (
    id, market, owner, name, arabic_name, search_name, latitude, longitude, preparation_minutes, is_open, changed_at, closed_reason)
SELECT pg_temp.id_of(at, 'restaurant', n), 'btnc', id, 'The table of ' || name, 'مطعم ' || name, lower('the table of ' || name),
    -31.95 + (n % 97 - 48) * 0.001, 115.86, 20, n % 250 <> 1 AND n % 100 = 1, at, CASE WHEN n % 500 = 51 THEN 'Hygiene' END
FROM person WHERE n % 50 = 1;
INSERT INTO dispatch.menu_items (id, restaurant, name, arabic_name, price, currency)
SELECT pg_temp.id_of(at, 'dish' || dish, n), pg_temp.id_of(at, 'restaurant', n), 'Soup ' || dish, 'شوربة', 900 + dish * 100, 'AUD'
FROM person, generate_series(1, 12) AS dish WHERE n % 50 = 1;
INSERT INTO dispatch.racks (id, market, name, arabic_name, latitude, longitude, is_active, key_hash, changed_at)
SELECT pg_temp.id_of(at, 'rack', n), 'btnc', 'Rack ' || n, 'موقف ' || n, -31.95 + (n % 97 - 48) * 0.001, 115.86, true, sha256(n::text::bytea), at
FROM person WHERE n % 200 = 5;
INSERT INTO dispatch.bikes (id, market, type, rack)
SELECT pg_temp.id_of(at, 'bike' || bike, n), 'btnc', 'city', pg_temp.id_of(at, 'rack', n) FROM person, generate_series(1, 12) AS bike WHERE n % 200 = 5;
