-- Medical professions that Nafath named and that are no title of the market: an admin decides (I5).
CREATE TABLE title_questions (
    account    uuid        NOT NULL REFERENCES accounts ON DELETE CASCADE,
    market     text        NOT NULL,
    -- In Nafath's words.
    job_title  text        NOT NULL,
    asked_at   timestamptz NOT NULL,
    decided_at timestamptz,
    decided_by uuid,
    -- The title that the admin found; null for none.
    title      text,
    PRIMARY KEY (account, market)
);
CREATE INDEX title_questions_open ON title_questions (market, asked_at, account) WHERE decided_at IS NULL;
