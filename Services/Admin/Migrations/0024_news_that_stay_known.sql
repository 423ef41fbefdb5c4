-- Who had a version published; NULL for a text that was published without a person.
ALTER TABLE content_versions ADD COLUMN published_by uuid;

-- Items outlive their feed, so that one that is added again imports nothing twice.
ALTER TABLE content_feed_items ADD COLUMN market text;
-- The SHA-256 of the feed's address at that time.
ALTER TABLE content_feed_items ADD COLUMN source bytea;
-- Whether the id means the same in every feed, as an address does. Of items of before this is not known.
ALTER TABLE content_feed_items ADD COLUMN everywhere boolean NOT NULL DEFAULT true;
-- When the feed named it last, to the day.
ALTER TABLE content_feed_items ADD COLUMN seen_at timestamptz NOT NULL DEFAULT now();
UPDATE content_feed_items AS i SET market = f.market, source = sha256(convert_to(f.url, 'UTF8'))
FROM content_feeds AS f WHERE f.id = i.feed;
ALTER TABLE content_feed_items DROP CONSTRAINT content_feed_items_pkey;
ALTER TABLE content_feed_items ALTER COLUMN feed DROP NOT NULL;
ALTER TABLE content_feed_items DROP CONSTRAINT content_feed_items_feed_fkey;
ALTER TABLE content_feed_items ADD CONSTRAINT content_feed_items_feed_fkey
    FOREIGN KEY (feed) REFERENCES content_feeds (id) ON DELETE SET NULL;
CREATE UNIQUE INDEX content_feed_items_of_feed ON content_feed_items (feed, item);
CREATE INDEX content_feed_items_known ON content_feed_items (item, market);
CREATE INDEX content_feed_items_gone ON content_feed_items (seen_at) WHERE entry IS NULL;
