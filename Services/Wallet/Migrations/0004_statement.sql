-- What each account reads of its money, written together with what it tells of.
CREATE TABLE statement_lines (
    id          uuid NOT NULL,
    account     uuid NOT NULL,
    source      text NOT NULL,
    kind        text NOT NULL CHECK (kind IN ('payment', 'share', 'commission', 'topUp')),
    market      text NOT NULL,
    currency    text NOT NULL,
    amount      bigint NOT NULL,
    order_id    uuid,
    method      text,
    title       jsonb NOT NULL,
    payer       text NOT NULL,
    beneficiary text NOT NULL,
    state       text NOT NULL CHECK (state IN ('waiting', 'accepted', 'rejected')),
    reason      text,
    at          timestamptz NOT NULL,
    changed_at  timestamptz NOT NULL,
    PRIMARY KEY (account, source)
) WITH (fillfactor = 80);
CREATE INDEX statement_lines_by_time ON statement_lines (account, at, id);
