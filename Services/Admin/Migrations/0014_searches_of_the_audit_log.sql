-- What the audit log is searched by, beside its columns. The indexes on it are the next migration.

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
