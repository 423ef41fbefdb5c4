-- Which of the markets' people an account is: for notices that go to all of them.
CREATE TABLE market_people (
    market      text    NOT NULL,
    account     uuid    NOT NULL,
    is_customer boolean NOT NULL,
    is_provider boolean NOT NULL,
    -- Of a provider: the id of the market's title, such as nurse.
    title       text,
    PRIMARY KEY (market, account)
) WITH (fillfactor = 80);
CREATE INDEX market_people_account ON market_people (account);
COMMENT ON TABLE market_people IS
    'Which accounts are customers and providers of which market, as identity tells; banned and deleted ones are in none.';

-- Notices of admins to many people (N5). The words stand here once; the items of those who get it refer to it.
CREATE TABLE general_notices (
    id           uuid        PRIMARY KEY,
    market       text        NOT NULL,
    version      bigint      NOT NULL DEFAULT 1,
    -- In the form of an item's arguments: subject and content, each in the languages of the market.
    arguments    text        NOT NULL,
    audience     text        NOT NULL CHECK (audience IN ('all', 'customers', 'providers')),
    -- Of providers: those with this title alone.
    title        text,
    -- Those who read this language alone.
    language     text,
    state        text        NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'going', 'gone', 'cancelled')),
    due_at       timestamptz NOT NULL,
    created_at   timestamptz NOT NULL,
    created_by   uuid        NOT NULL,
    -- How far it has gone: the last of the market's people that was looked at, and how many have got it.
    last_account uuid,
    recipients   bigint      NOT NULL DEFAULT 0,
    -- Not before: all processes together keep to one pace.
    next_at      timestamptz NOT NULL DEFAULT now(),
    ended_at     timestamptz,
    CHECK (title IS NULL OR audience = 'providers')
) WITH (fillfactor = 80);
CREATE INDEX general_notices_market ON general_notices (market, created_at DESC, id DESC);
CREATE INDEX general_notices_due ON general_notices (due_at, id) WHERE state IN ('waiting', 'going');
COMMENT ON TABLE general_notices IS
    'Notices of admins to the people of a market: their words, whom they go to, when, and how far they have gone.';

ALTER TABLE inbox_items ADD COLUMN notice uuid;
ALTER TABLE inbox_items ADD CONSTRAINT inbox_items_notice_fkey
    FOREIGN KEY (notice) REFERENCES general_notices NOT VALID;

-- What the admins of a market answer again and again.
CREATE TABLE canned_answers (
    id         uuid        PRIMARY KEY,
    market     text        NOT NULL,
    section    text        NOT NULL CHECK (section IN ('customers', 'providers')),
    language   text        NOT NULL,
    name       text        NOT NULL,
    body       text        NOT NULL,
    version    bigint      NOT NULL DEFAULT 1,
    changed_at timestamptz NOT NULL,
    changed_by uuid        NOT NULL
);
CREATE UNIQUE INDEX canned_answers_name ON canned_answers (market, section, language, lower(name));
COMMENT ON TABLE canned_answers IS
    'Answers to inquiries that a market''s admins have ready, by section and language.';
