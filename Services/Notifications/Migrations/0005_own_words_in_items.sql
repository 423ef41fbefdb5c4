-- An item's arguments with something else for the names of those who are gone, and with nothing for their own words.
CREATE OR REPLACE FUNCTION without_names(arguments text, gone uuid[], instead text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
    SELECT jsonb_object_agg(
        key, CASE
            WHEN (value ->> 'of')::uuid = ANY (gone) THEN jsonb_build_object('text', instead)
            WHEN (value ->> 'by')::uuid = ANY (gone) AND value ? 'words' THEN '{"words": [{"en": ""}]}'
            WHEN (value ->> 'by')::uuid = ANY (gone) THEN '{"text": ""}'
            ELSE value END)::text
    FROM jsonb_each(arguments::jsonb)
$$;
