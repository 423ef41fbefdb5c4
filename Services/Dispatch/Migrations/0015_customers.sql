-- Who is a customer where, as identity tells: an admin orders for nobody else.
CREATE TABLE customer_roles (
    account uuid NOT NULL,
    market  text NOT NULL,
    PRIMARY KEY (account, market)
);
-- Those of whom was told before this was kept are known by what they ordered.
INSERT INTO customer_roles SELECT customer, market FROM orders UNION SELECT customer, market FROM series;

-- Until when a visit keeps its care partner busy: as long as it takes, from its time, or from now on if it is late; and one
-- that has begun until it is finished, which is after now.
CREATE FUNCTION care_end(state text, starts_at timestamptz, began_at timestamptz, minutes integer, present timestamptz)
RETURNS timestamptz LANGUAGE sql IMMUTABLE AS $$
    SELECT CASE WHEN state = 'inProgress'
        THEN greatest(coalesce(began_at, starts_at) + make_interval(mins => minutes), present + interval '1 millisecond')
        ELSE greatest(starts_at, present) + make_interval(mins => minutes) END
$$;
