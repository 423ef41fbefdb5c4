-- The people of a market, the newest first, for its admins.
CREATE INDEX roles_of_market ON roles (market, account);
