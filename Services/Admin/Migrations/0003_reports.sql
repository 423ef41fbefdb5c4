-- What parties of orders report, and what admins decide or answer.
CREATE TABLE reports (
    id              uuid PRIMARY KEY,
    order_id        uuid NOT NULL,
    market          text NOT NULL,
    made_by         text NOT NULL,
    account         uuid NOT NULL,
    reason          text NOT NULL,
    note            text,
    cancels         boolean NOT NULL,
    -- Whether the order's money waits for it; else an answer closes it.
    awaits_decision boolean NOT NULL,
    at              timestamptz NOT NULL,
    state           text NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'decided', 'answered')),
    -- How often the market's time for a decision was over.
    reminders       integer NOT NULL DEFAULT 0,
    decision        text,
    -- Minor units of the price.
    to_customer     bigint,
    -- The reason of the decision, or the answer.
    reply           text,
    closed_by       uuid,
    closed_at       timestamptz,
    CHECK ((state = 'open') = (closed_at IS NULL))
);
CREATE INDEX reports_of_market ON reports (market, state, at, id);
CREATE INDEX reports_of_order ON reports (order_id, id);
CREATE INDEX reports_of_account ON reports (account);
