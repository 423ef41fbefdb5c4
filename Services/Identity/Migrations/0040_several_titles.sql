-- A person works under one title of a market, and may have a restaurant there beside it (B2): a role for each, with its own
-- decision, vehicle and car. Papers and details belong to the person in the market; the market says which title asks for which.
-- Programs of before read these rows as they did; until they have stopped they cannot store roles, for a key of three columns is
-- none any more.
ALTER TABLE roles ADD COLUMN sells boolean NOT NULL GENERATED ALWAYS AS (coalesce(title = 'restaurant', false)) STORED;
ALTER TABLE roles DROP CONSTRAINT roles_pkey;
ALTER TABLE roles ADD PRIMARY KEY (account, market, role, sells);

-- Which of the two the owner's apps show.
ALTER TABLE accounts ADD COLUMN active_title text;

-- Papers that were verified before their last day was asked for, which admins list first.
CREATE INDEX documents_without_day ON documents (market, id) WHERE state = 'verified' AND expires_on IS NULL;
