-- A place may be kept to oneself. Places move once a second: room for that in each page keeps their index as it is.
ALTER TABLE shared_places ADD COLUMN is_visible boolean NOT NULL DEFAULT true;
ALTER TABLE shared_places SET (fillfactor = 50);

-- Who is blocked asks no more. The next migration compares the rows that are there.
ALTER TABLE links ADD COLUMN blocked_by_asker boolean;
ALTER TABLE links DROP CONSTRAINT links_state_check;
ALTER TABLE links ADD CONSTRAINT links_state_check
    CHECK (state IN ('asked', 'agreed', 'confirmed', 'blocked')) NOT VALID;
ALTER TABLE links ADD CONSTRAINT links_blocked_check
    CHECK ((state = 'blocked') = (blocked_by_asker IS NOT NULL)) NOT VALID;
