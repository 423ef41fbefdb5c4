-- Which of their contacts people have chosen to show to a market. Absent is neither.
CREATE TABLE published_contacts (
    account    uuid        NOT NULL REFERENCES accounts ON DELETE CASCADE,
    market     text        NOT NULL,
    email      boolean     NOT NULL,
    mobile     boolean     NOT NULL,
    changed_at timestamptz NOT NULL,
    PRIMARY KEY (account, market)
);
