-- Feeds (RSS, Atom) from which a market's news come.
CREATE TABLE content_feeds (
    id         uuid        PRIMARY KEY,
    market     text        NOT NULL,
    url        text        NOT NULL,
    -- The group of its news: local, world.
    kind       text        NOT NULL,
    -- In which it is written.
    language   text        NOT NULL,
    -- Whether its news are published at once; else they are drafts.
    publishes  boolean     NOT NULL,
    active     boolean     NOT NULL,
    version    integer     NOT NULL,
    changed_by uuid        NOT NULL,
    changed_at timestamptz NOT NULL,
    -- When it was asked for last; NULL for never.
    checked_at timestamptz,
    -- Why it could not be read then; NULL where it could.
    fault      text,
    -- What it answered of its state, for the next question.
    tag        text,
    modified   text,
    UNIQUE (market, url)
);
-- The next one to be asked.
CREATE INDEX content_feeds_due ON content_feeds (checked_at NULLS FIRST) WHERE active;
COMMENT ON TABLE content_feeds IS 'Feeds of the web from which a market''s news are imported, as its admins set them.';

CREATE TABLE content_feed_items (
    feed  uuid        NOT NULL REFERENCES content_feeds (id) ON DELETE CASCADE,
    -- The SHA-256 of the item's id in the feed.
    item  bytea       NOT NULL,
    -- NULL once the news is gone, so that it does not come again.
    entry uuid        REFERENCES content_entries (id),
    at    timestamptz NOT NULL,
    PRIMARY KEY (feed, item)
);
CREATE INDEX content_feed_items_entry ON content_feed_items (entry) WHERE entry IS NOT NULL;
COMMENT ON TABLE content_feed_items IS 'Items of feeds that were imported, each once.';
