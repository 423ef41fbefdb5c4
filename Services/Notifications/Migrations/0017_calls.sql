-- Calls between the two members of an order's conversation. Voices go from browser to browser; here stands how a call
-- goes on, and what the two browsers tell each other to find a way, which is gone as soon as the call is over.
CREATE TABLE calls (
    -- Made by the caller's device, so that a repeat is known.
    id            uuid        PRIMARY KEY,
    conversation  uuid        NOT NULL REFERENCES conversations ON DELETE CASCADE,
    caller        uuid        NOT NULL,
    called        uuid        NOT NULL,
    state         text        NOT NULL
        CHECK (state IN ('ringing', 'taken', 'declined', 'missed', 'ended', 'closed')),
    caller_device uuid        NOT NULL,
    -- The first of the called account that answered.
    called_device uuid,
    offer         text,
    answer        text,
    made_at       timestamptz NOT NULL,
    taken_at      timestamptz,
    ended_at      timestamptz,
    -- Without a sign of life of either it is over then; while it rings both are the end of the ring time.
    caller_until  timestamptz NOT NULL,
    called_until  timestamptz NOT NULL,
    -- The order's version at which the two were last found to be allowed to talk.
    order_version bigint,
    -- One of the two was banned, or is gone.
    is_barred     boolean     NOT NULL DEFAULT false,
    -- The inbox item that says that somebody calls; it goes when the ringing ends.
    ringing_item  uuid,
    CHECK (caller <> called),
    CHECK ((state IN ('ringing', 'taken')) = (ended_at IS NULL)),
    CHECK (state IN ('ringing', 'taken') OR offer IS NULL AND answer IS NULL AND ringing_item IS NULL)
) WITH (fillfactor = 60);
-- An account calls once at a time, and is called once; that it does not do both, the locks of its calls see to.
CREATE UNIQUE INDEX calls_running_of_caller ON calls (caller) WHERE state IN ('ringing', 'taken');
CREATE UNIQUE INDEX calls_running_of_called ON calls (called) WHERE state IN ('ringing', 'taken');
CREATE INDEX calls_caller ON calls (caller);
CREATE INDEX calls_called ON calls (called);
CREATE INDEX calls_conversation ON calls (conversation);
CREATE INDEX calls_ended_at ON calls (ended_at) WHERE ended_at IS NOT NULL;
COMMENT ON TABLE calls IS
    'Calls between the members of orders'' conversations, until a day after their end; without the signals once they are over.';

CREATE TABLE call_candidates (
    call      uuid    NOT NULL REFERENCES calls ON DELETE CASCADE,
    by_caller boolean NOT NULL,
    -- Given by the device, so that a repeat is known.
    number    int     NOT NULL,
    candidate text    NOT NULL,
    PRIMARY KEY (call, by_caller, number)
);
COMMENT ON TABLE call_candidates IS
    'Addresses at which the browsers of running calls may reach each other. They go with the end of the call.';
