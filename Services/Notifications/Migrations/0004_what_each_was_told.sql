-- The newest version of each order and payment that an account was told, and the one before it. What is older is not told
-- it again. Of each account by itself: who has lost an order hears so, though others have heard of later versions.
-- (`heads` is of the program before this one, which kept one version for all. While both run, something older may be told
-- after something newer.)
CREATE TABLE told (
    subject  uuid NOT NULL,
    account  uuid NOT NULL,
    version  bigint NOT NULL,
    previous bigint NOT NULL,
    since    timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (subject, account)
) WITH (fillfactor = 70);
CREATE INDEX told_since ON told (since);

-- The space of purged rows is filled again, so each range of a block range index would reach from long ago to now, and each
-- look for old ones would read the whole table.
CREATE INDEX stream_events_by_time ON stream_events (at);
DROP INDEX stream_events_at;

-- The account is deleted: nothing is told it any more, however late it comes.
ALTER TABLE streams ADD COLUMN is_gone boolean NOT NULL DEFAULT false;

-- Other people whose names are in the arguments, so that a name can go with its account.
ALTER TABLE inbox_items ADD COLUMN named uuid[];
CREATE INDEX inbox_items_named ON inbox_items USING gin (named) WHERE named IS NOT NULL;

-- An item's arguments with something else for the names of those who are gone.
CREATE FUNCTION without_names(arguments text, gone uuid[], instead text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
    SELECT jsonb_object_agg(
        key, CASE WHEN (value ->> 'of')::uuid = ANY (gone) THEN jsonb_build_object('text', instead) ELSE value END)::text
    FROM jsonb_each(arguments::jsonb)
$$;

-- Who is gone, and may be named in others' items.
CREATE TABLE names_to_forget (account uuid PRIMARY KEY);
