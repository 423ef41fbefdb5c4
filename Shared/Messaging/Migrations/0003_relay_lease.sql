-- Until when the active relay has its place, by this server's clock, and which session it is. One row.
CREATE TABLE relay_lease (
    single boolean PRIMARY KEY DEFAULT true CHECK (single),
    holder int NOT NULL,
    -- When that session began: numbers of sessions come again.
    since timestamptz NOT NULL,
    until timestamptz NOT NULL
);
