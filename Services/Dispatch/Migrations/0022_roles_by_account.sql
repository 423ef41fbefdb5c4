-- Whoever reports a place is looked up by account, in all markets at once; the key begins with the market.
CREATE INDEX provider_roles_of_account ON provider_roles (account);
