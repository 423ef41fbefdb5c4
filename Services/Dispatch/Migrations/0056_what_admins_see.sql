-- When an admin last looked at the live map of a market, which is read each ten seconds: a look of each hour is in the audit
-- log (P9).
CREATE TABLE map_looks (
    market text        NOT NULL,
    admin  uuid        NOT NULL,
    -- The beginning of the hour that was told.
    hour   timestamptz NOT NULL,
    PRIMARY KEY (market, admin)
);
COMMENT ON TABLE map_looks IS
    'The last hour of which the audit log was told that an admin looked at a market''s map.';

-- A restaurant that an admin has closed stays closed until an admin opens it.
ALTER TABLE restaurants ADD COLUMN closed_reason text;
COMMENT ON COLUMN restaurants.closed_reason IS
    'Why an admin has closed it, for its owner; null where no admin has.';

-- A market's series, for its admins.
CREATE INDEX series_of_market ON series (market, id);

-- Clear descriptions of earlier versions: the rows that the pass looks for, as in orders.
CREATE INDEX series_with_clear_places ON series (id)
    WHERE description NOT LIKE 'sealed:%' OR parcel #>> '{destination,description}' NOT LIKE 'sealed:%';
CREATE INDEX quotes_with_clear_places ON quotes (id)
    WHERE from_description NOT LIKE 'sealed:%' OR to_description NOT LIKE 'sealed:%';
