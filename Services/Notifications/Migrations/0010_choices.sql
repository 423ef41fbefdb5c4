-- The ways (mail, sms, push) that an account has switched off for all optional notices, as identity tells.
ALTER TABLE people ADD COLUMN muted text[] NOT NULL DEFAULT '{}';
COMMENT ON TABLE people IS
    'The language that an account wants its texts in, and the ways that it has switched off, as identity tells.';

-- What an account has chosen of each kind of notice. Without a row the kind's own defaults hold.
CREATE TABLE notice_choices (
    account uuid    NOT NULL,
    kind    text    NOT NULL,
    -- Counts as unread in the inbox.
    app     boolean NOT NULL,
    push    boolean NOT NULL,
    mail    boolean NOT NULL,
    sms     boolean NOT NULL,
    PRIMARY KEY (account, kind)
);
COMMENT ON TABLE notice_choices IS 'By which ways an account wants to hear of each kind of notice.';

-- When an account's phones are to be quiet, each day, in its own zone.
CREATE TABLE quiet_hours (
    account     uuid PRIMARY KEY,
    from_minute int  NOT NULL CHECK (from_minute BETWEEN 0 AND 1439),
    to_minute   int  NOT NULL CHECK (to_minute BETWEEN 0 AND 1439 AND to_minute <> from_minute),
    zone        text NOT NULL
);
COMMENT ON TABLE quiet_hours IS 'When an account''s phones are to be quiet, each day, in its own time zone.';
