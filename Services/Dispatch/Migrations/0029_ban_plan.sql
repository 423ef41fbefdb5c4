-- As before, but planned once for each connection: the server plans the body of a function in SQL at each call.
CREATE OR REPLACE FUNCTION is_banned(person uuid, place text) RETURNS boolean LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN EXISTS (
        SELECT FROM bans
        WHERE account = person AND market IN (place, '*') AND NOT is_lifted
            AND (until IS NULL OR until > clock_timestamp()));
END
$$;
