-- What strangers filter and sort by is measured to the destination that they are shown, about a kilometre exactly.
UPDATE board SET metres = round(ST_Distance(
        board.origin,
        ST_SetSRID(ST_MakePoint(round(orders.destination_longitude::numeric, 2)::float8,
            round(orders.destination_latitude::numeric, 2)::float8), 4326)::geography, false))
FROM orders WHERE orders.id = board.order_id AND orders.destination_latitude IS NOT NULL;
