-- What strangers read of a parcel's places is rounded to about 300 metres, the origin as well; they search and sort by the same.
UPDATE board SET
    origin = ST_SetSRID(ST_MakePoint(
        round((orders.longitude * 250)::numeric)::float8 / 250, round((orders.latitude * 250)::numeric)::float8 / 250),
        4326)::geography
FROM orders WHERE orders.id = board.order_id;

-- The rounded goal, for requests along one's own way; null only for rows of a former version.
ALTER TABLE board ADD COLUMN destination geography(Point, 4326);
UPDATE board SET
    destination = ST_SetSRID(ST_MakePoint(
        round((orders.destination_longitude * 250)::numeric)::float8 / 250,
        round((orders.destination_latitude * 250)::numeric)::float8 / 250), 4326)::geography
FROM orders WHERE orders.id = board.order_id AND orders.destination_latitude IS NOT NULL;
UPDATE board SET metres = round(ST_Distance(origin, destination, false)) WHERE destination IS NOT NULL;

-- The rating that the owner asks of a carrier, in tenths of a star.
ALTER TABLE board ADD COLUMN minimum_rating bigint;

-- The newest requests of a market, page by page.
CREATE INDEX board_of_market ON board (market, order_id);
