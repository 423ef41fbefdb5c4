-- Visits that come again (O7). What is asked for, and by which rule.
CREATE TABLE series (
    id              uuid PRIMARY KEY,
    market          text NOT NULL,
    customer        uuid NOT NULL,
    -- Each once, ids of the market's services.
    services        text[] NOT NULL,
    latitude        double precision NOT NULL,
    longitude       double precision NOT NULL,
    description     text,
    -- Whom the customer would like, and for whom it is if not for the customer.
    preferred       uuid,
    recipient       uuid,
    -- An RRULE; its first day and time are on the market's clock.
    rule            text NOT NULL,
    first_day       date NOT NULL,
    minute          smallint NOT NULL CHECK (minute BETWEEN 0 AND 1439),
    -- Days that are left out: 2026-12-25.
    exceptions      text[] NOT NULL,
    -- The days until here have their rows; null before the first run.
    planned_through date,
    state           text NOT NULL CHECK (state IN ('active', 'ended')),
    created_at      timestamptz NOT NULL,
    ended_at        timestamptz
);
CREATE INDEX series_of_customer ON series (customer, id);

-- One visit of a series, named for ever by the day that the rule gave it. The key is what keeps it from being made twice.
CREATE TABLE series_occurrences (
    series    uuid NOT NULL REFERENCES series (id) ON DELETE CASCADE,
    day       date NOT NULL,
    starts_at timestamptz NOT NULL,
    -- planned; requested, which has an order; skipped by the customer; refused, for a reason; missed while nothing ran.
    state     text NOT NULL CHECK (state IN ('planned', 'requested', 'skipped', 'refused', 'missed')),
    -- The customer has moved it.
    is_moved  boolean NOT NULL DEFAULT false,
    order_id  uuid UNIQUE,
    reason    text,
    PRIMARY KEY (series, day)
);
CREATE INDEX series_occurrences_planned ON series_occurrences (series, starts_at) WHERE state = 'planned';
