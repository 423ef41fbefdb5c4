-- What the audit log is searched by, beside its columns (the indexes on it are the next migration), and rebuilds over HTTP.

-- The ids that an entry has: of what it was done to, and of the people and things in its values.
CREATE FUNCTION audit_ids(subject text, before jsonb, after jsonb) RETURNS text[]
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT ARRAY(
        SELECT id FROM (
            SELECT subject AS id
            UNION ALL SELECT value FROM jsonb_each_text(coalesce(before, '{}'))
            UNION ALL SELECT value FROM jsonb_each_text(coalesce(after, '{}'))
        ) AS known
        WHERE id ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$')
$$;

-- The words of an entry, as people search for them: of its act, of what it was done to, and of its values. Signs are no part of
-- a word, so `39.8` and `order.cancelled` are two.
CREATE FUNCTION audit_words(action text, subject text, before jsonb, after jsonb) RETURNS tsvector
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT to_tsvector('simple', translate(
        action || ' ' || subject || ' '
            || coalesce((SELECT string_agg(value, ' ') FROM jsonb_each_text(coalesce(before, '{}'))), '') || ' '
            || coalesce((SELECT string_agg(value, ' ') FROM jsonb_each_text(coalesce(after, '{}'))), ''),
        '!"#$%&''()*+,-./:;<=>?@[\]^_`{|}~', '                                '))
$$;

CREATE TABLE rebuilds (
    id         uuid PRIMARY KEY,
    parts      text[] NOT NULL,
    started_by uuid NOT NULL,
    started_at timestamptz NOT NULL,
    -- How many parts are doubted whole, and the last row of the next one that is.
    done       int NOT NULL DEFAULT 0,
    after      uuid,
    -- When the owners were asked to tell their rows again, how many rows wait for it, and when it was seen last that one came.
    asked_at   timestamptz,
    row_count  bigint NOT NULL DEFAULT 0,
    left_count bigint NOT NULL DEFAULT 0,
    counted_at timestamptz,
    moved_at   timestamptz,
    ended_at   timestamptz
);
COMMENT ON TABLE rebuilds IS
    'Rebuilds of the read models that a master admin began: how far each is, and when it ended.';
-- One at a time.
CREATE UNIQUE INDEX rebuild_that_runs ON rebuilds ((true)) WHERE ended_at IS NULL;
CREATE INDEX rebuilds_by_start ON rebuilds (started_at DESC);
