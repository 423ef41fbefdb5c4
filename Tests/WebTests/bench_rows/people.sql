-- People of a market: who they are (identity), and what the other services know of them. One in twenty is a provider.
-- Their contacts are left out: those are sealed with a key that is outside of the database.

SELECT setseed(0.25);

-- Ids as the services make them: ordered by time, and the same again for the same thing.
CREATE FUNCTION pg_temp.id_of(at timestamptz, what text, n bigint) RETURNS uuid LANGUAGE sql AS $$
    SELECT (lpad(to_hex((extract(epoch FROM at) * 1000)::bigint), 12, '0') || '7' || left(md5(what || n), 3)
        || '8' || substr(md5(what || n), 4, 15))::uuid
$$;

-- The later, the more: a market grows over the year.
CREATE FUNCTION pg_temp.time_of(n bigint, count bigint) RETURNS timestamptz LANGUAGE sql AS $$
    SELECT now() - interval '365 days' * (1 - sqrt(n::float8 / count)) - interval '1 minute'
$$;

CREATE TEMP TABLE names AS SELECT
    ARRAY['Olivia', 'Liam', 'Emma', 'Noah', 'Amelia', 'Jack', 'Mia', 'Leo', 'Grace', 'Owen', 'Chloé', 'Zoë', 'Ruby', 'Dan', 'Ada', 'Paul',
        'Karin', 'Olof', 'Mira', 'Dora', 'Henry', 'Lucy', 'Ben', 'Nora', 'Sam', 'Ivy', 'Max', 'Ella', 'Tom', 'Alice'] AS first,
    ARRAY['Smith', 'Brown', 'Wilson', 'Taylor', 'Martin', 'Roy', 'Tremblay', 'Singh', 'Khan', 'Nguyen', 'Lee', 'Hill', 'Fox', 'Shaw', 'Berg',
        'Lund', 'Hall', 'Young', 'King', 'Wright', 'Scott', 'Green', 'Baker', 'Adams', 'Nelson', 'Carter', 'Évans', 'Turner', 'Parker', 'Reid'] AS last,
    ARRAY['هدى', 'عمر', 'فاطمة', 'محمد', 'سارة', 'علي', 'نورة', 'خالد', 'ليلى', 'يوسف', 'مريم', 'أحمد', 'ريم', 'سعد', 'أمل', 'إبراهيم',
        'زينب', 'حسن', 'دانة', 'فهد'] AS arabic_first,
    ARRAY['العتيبي', 'القحطاني', 'الحربي', 'الغامدي', 'الشهري', 'حداد', 'سالم', 'منصور', 'الزهراني', 'المطيري', 'الدوسري', 'العنزي', 'شريف',
        'درويش', 'خليل', 'نجار', 'عبد الله', 'الأحمد', 'بركات', 'قاسم'] AS arabic_last;

CREATE TEMP TABLE person AS
SELECT n, pg_temp.id_of(pg_temp.time_of(n, :people), 'person', n) AS id, pg_temp.time_of(n, :people) AS at,
    CASE WHEN n = :people / 2 THEN 'Quentina Zubrowska'
        WHEN is_arabic THEN arabic_first[1 + f % 20] || ' ' || arabic_last[1 + l % 20]
        ELSE first[1 + f % 30] || ' ' || last[1 + l % 30] END AS name,
    CASE WHEN is_arabic THEN 'ar' ELSE 'en' END AS language, (ARRAY['female', 'male'])[1 + f % 2] AS gender, n % 20 = 0 AS provides,
    CASE WHEN n % 20 > 0 THEN 'active' WHEN n % 140 = 0 THEN 'waiting' WHEN n % 180 = 0 THEN 'rejected' ELSE 'verified' END AS state
FROM (
    SELECT n, random() < 0.4 AS is_arabic, floor(random() * 600)::int AS f, floor(random() * 600)::int AS l FROM generate_series(1, :people) AS n
) AS drawn, names;
CREATE UNIQUE INDEX ON person (n);
ANALYZE person;

-- Those who work, by number; a number drawn with its square finds the first ones more often.
CREATE TEMP TABLE worker AS SELECT row_number() OVER (ORDER BY n) AS place, * FROM person WHERE state = 'verified';
CREATE UNIQUE INDEX ON worker (place);
ANALYZE worker;
CREATE TEMP TABLE master AS SELECT account AS id FROM identity.roles WHERE market = '*' AND role = 'admin' ORDER BY requested_at LIMIT 1;

INSERT INTO identity.accounts (id, version, name, gender, language, registered_at, confirmed_at, confirms_by, logged_in_at)
SELECT id, 1, name, gender, language, at, at, 'email', at FROM person;
INSERT INTO identity.roles (account, market, role, title, state, requested_at, decided_at, decided_by)
SELECT person.id, :'market', CASE WHEN provides THEN 'provider' ELSE 'customer' END, CASE WHEN provides THEN 'care-partner' END, state, at,
    CASE WHEN state IN ('verified', 'rejected') THEN at + interval '1 day' END, CASE WHEN state IN ('verified', 'rejected') THEN master.id END
FROM person, master;
INSERT INTO identity.ratings (account, market, role, count, stars)
SELECT id, :'market', CASE WHEN provides THEN 'provider' ELSE 'customer' END, 1 + n % 40, (1 + n % 40) * 9 / 2 FROM person WHERE n % 3 = 0 OR provides;
INSERT INTO identity.bans (account, market, reason, until, banned_at, banned_by)
SELECT person.id, :'market', 'Did not come to three visits', CASE WHEN n % 3 > 0 THEN now() + interval '60 days' END, at + interval '2 hours', master.id
FROM person, master WHERE n % 50 = 7;
-- Of those who are gone.
INSERT INTO identity.banned_hashes (account, market, kind, hash, reason, by_master, banned_at, banned_by)
SELECT pg_temp.id_of(at, 'gone', n), :'market', kind, sha256((kind || n)::bytea), 'Fraud', false, at, master.id
FROM person, master, (VALUES ('email'), ('mobile')) AS kinds (kind) WHERE n % 400 = 9;
INSERT INTO identity.links (id, kind, market, from_account, to_account, scopes, state, asked_at, confirmed_at)
SELECT pg_temp.id_of(one.at, 'link', one.n), 'family', :'market', one.id, other.id, '{see,order}', it.state, one.at,
    CASE WHEN it.state = 'confirmed' THEN one.at END
FROM person AS one JOIN person AS other ON other.n = one.n + 1
CROSS JOIN LATERAL (SELECT CASE WHEN one.n % 200 = 11 THEN 'agreed' WHEN one.n % 100 = 11 THEN 'asked' ELSE 'confirmed' END AS state) AS it
WHERE one.n % 20 = 11;
INSERT INTO identity.removals (account, cause, asked_by, market, reason, asked_at, due_at)
SELECT one.id, 'relative', other.id, :'market', 'Has moved into a home', now() - interval '40 days', now() - interval '9 days' - one.n * interval '1 second'
FROM person AS one JOIN person AS other ON other.n = one.n + 1 WHERE one.n % 250 = 13;
INSERT INTO identity.documents (id, account, market, kind, state, media_type, size, digest, sealed, uploaded_at, decided_at, decided_by, expires_on)
SELECT pg_temp.id_of(at, kind, n), person.id, :'market', kind, CASE person.state WHEN 'verified' THEN 'verified' ELSE 'waiting' END, 'application/pdf', 64,
    sha256((kind || n)::bytea), sha256((kind || n)::bytea), at, CASE person.state WHEN 'verified' THEN at END,
    CASE person.state WHEN 'verified' THEN master.id END,
    CASE WHEN person.state = 'verified' AND n % 7 > 0 THEN current_date + 45 + (n % 700)::int END
FROM person, master, (VALUES ('certificate'), ('police-check')) AS kinds (kind) WHERE provides;
-- Workers of Nafath in another market, whose profession nobody has in the list.
INSERT INTO identity.roles (account, market, role, title, state, requested_at)
SELECT id, 'assef', 'provider', 'nurse', 'waiting', at FROM person WHERE n % 100 = 3;
INSERT INTO identity.title_questions (account, market, job_title, asked_at) SELECT id, 'assef', 'فني ' || n, at FROM person WHERE n % 100 = 3;

INSERT INTO dispatch.people (account, version, name, search_name, gender, language) SELECT id, 1, name, lower(name), gender, language FROM person;
INSERT INTO dispatch.customer_roles (account, market) SELECT id, :'market' FROM person WHERE NOT provides;
INSERT INTO dispatch.providers (account) SELECT id FROM person WHERE provides OR n % 50 = 1;
INSERT INTO dispatch.provider_roles (market, account, title, verified, available, available_at)
SELECT :'market', id, 'care-partner', state = 'verified', state = 'verified' AND n % 100 = 0, CASE WHEN n % 100 = 0 THEN now() END FROM person WHERE provides;
INSERT INTO dispatch.rating_sums (market, account, role, stars, count)
SELECT :'market', id, CASE WHEN provides THEN 'provider' ELSE 'customer' END, (1 + n % 40) * 9 / 2, 1 + n % 40 FROM person WHERE n % 3 = 0 OR provides;
INSERT INTO dispatch.provider_positions (provider, latitude, longitude, at)
SELECT id, 50.4452 + (n % 97 - 48) * 0.001, -104.6189 + (n % 89 - 44) * 0.001, now() FROM person WHERE state = 'verified' AND n % 100 = 0;

INSERT INTO admin.people (account, version, name, gender, language, registered_at) SELECT id, 1, name, gender, language, at FROM person;
INSERT INTO admin.people_of_markets (market, account, name, names, roles)
SELECT :'market', id, name, ARRAY[role], jsonb_build_array(jsonb_strip_nulls(jsonb_build_object(
    'role', role, 'title', CASE WHEN provides THEN 'care-partner' END, 'market', :'market', 'verified', state IN ('active', 'verified'))))
FROM person CROSS JOIN LATERAL (SELECT CASE WHEN provides THEN 'provider' ELSE 'customer' END AS role) AS it;
INSERT INTO admin.bans (account, market, until, at, version, is_lifted)
SELECT id, :'market', CASE WHEN n % 3 > 0 THEN now() + interval '60 days' END, at + interval '2 hours', 1, false FROM person WHERE n % 50 = 7;

INSERT INTO notifications.people (account, language, version) SELECT id, language, 1 FROM person;
