-- What others gave somebody, as a sum: by it people of the market know each other. Dispatch has the ratings themselves.
CREATE TABLE ratings (
    account uuid   NOT NULL REFERENCES accounts ON DELETE CASCADE,
    market  text   NOT NULL,
    -- What the person was rated as.
    role    text   NOT NULL CHECK (role IN ('customer', 'provider')),
    count   bigint NOT NULL,
    stars   bigint NOT NULL,
    PRIMARY KEY (account, market, role)
);
