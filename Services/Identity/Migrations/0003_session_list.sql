-- What the owner of a session is shown of it.
ALTER TABLE sessions
    -- The browser or the app and its system; no more of what the device sends is kept.
    ADD COLUMN device text,
    -- The last refresh; null before the first.
    ADD COLUMN used_at timestamptz;
