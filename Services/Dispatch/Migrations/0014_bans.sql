-- Who may do nothing in a market, or in any ('*'), as identity tells (I11). The newest word wins: one that was lifted stays,
-- so that what comes late is known as old.
CREATE TABLE bans (
    account   uuid NOT NULL,
    market    text NOT NULL,
    -- Null is for ever.
    until     timestamptz,
    -- When identity said so.
    at        timestamptz NOT NULL,
    is_lifted boolean NOT NULL,
    PRIMARY KEY (account, market)
);

CREATE FUNCTION is_banned(person uuid, place text) RETURNS boolean LANGUAGE sql STABLE AS $$
    SELECT EXISTS (
        SELECT FROM bans
        WHERE account = person AND market IN (place, '*') AND NOT is_lifted
            AND (until IS NULL OR until > clock_timestamp()))
$$;

-- Why a series ended that its customer did not end.
ALTER TABLE series ADD COLUMN ended_reason text;
