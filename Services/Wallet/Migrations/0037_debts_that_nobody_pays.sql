-- What an admin has written off of an account's debt: the platform paid it.
CREATE TABLE write_offs (
    -- The approval's, where a second admin had to agree.
    id          uuid PRIMARY KEY,
    market      text NOT NULL,
    account     uuid NOT NULL,
    currency    text NOT NULL,
    amount      bigint NOT NULL CHECK (amount > 0),
    reason      text NOT NULL,
    by          uuid NOT NULL,
    approved_by uuid CHECK (approved_by <> by),
    at          timestamptz NOT NULL
);
CREATE INDEX write_offs_of_account ON write_offs (account, at);
CREATE INDEX write_offs_of_admin ON write_offs (by, at);

-- The payment provider's name of a card's number, by which the same number is known again; null of older rows.
ALTER TABLE cards ADD COLUMN fingerprint text;
-- The cards that were last told of, so that a change of them is told; null before the first.
ALTER TABLE account_methods ADD COLUMN cards jsonb;
