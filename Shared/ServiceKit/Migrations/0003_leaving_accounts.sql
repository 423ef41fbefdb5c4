-- Accounts whose deletion was asked. A row stays, so that what is heard late changes nothing; it holds no person.
CREATE TABLE leaving_accounts (
    account uuid   PRIMARY KEY,
    -- Of the account, at its newest deletion.
    version bigint NOT NULL,
    -- 'stays': that deletion was refused.
    state   text   NOT NULL CHECK (state IN ('leaving', 'stays', 'gone'))
);
