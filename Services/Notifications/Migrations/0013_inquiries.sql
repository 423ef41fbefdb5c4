-- A question to a market's admins. Its words are the messages of the conversation with the same id.
CREATE TABLE inquiries (
    id          uuid        PRIMARY KEY REFERENCES conversations ON DELETE CASCADE,
    market      text        NOT NULL,
    account     uuid        NOT NULL,
    section     text        NOT NULL CHECK (section IN ('customers', 'providers')),
    title       text        NOT NULL,
    -- Whether the last word is an admin's.
    is_answered boolean     NOT NULL DEFAULT false,
    -- The admin who answers it.
    taken_by    uuid,
    created_at  timestamptz NOT NULL,
    last_at     timestamptz NOT NULL
) WITH (fillfactor = 80);
CREATE INDEX inquiries_account ON inquiries (account, created_at DESC, id DESC);
-- Counted again and again for the console.
CREATE INDEX inquiries_waiting ON inquiries (market) WHERE NOT is_answered;
CREATE INDEX inquiries_desk ON inquiries (market, section, last_at DESC, id DESC);
COMMENT ON TABLE inquiries IS
    'Questions of customers and providers to the admins of a market, with the admin who answers.';
