-- The terms of markets whose admins have published other ones than those of the market's file.
CREATE TABLE market_terms (
    market  text   PRIMARY KEY,
    -- What people accept.
    version text   NOT NULL,
    -- The terms in each language, in JSON.
    words   text   NOT NULL,
    -- The greatest that was told.
    number  bigint NOT NULL
);
COMMENT ON TABLE market_terms IS
    'Terms that a market''s admins published, as admin tells. Without a row the terms of the market''s file hold.';
