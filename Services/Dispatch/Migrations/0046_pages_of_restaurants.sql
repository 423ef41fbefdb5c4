-- What everybody may read of a restaurant: where to go and to call, when it is open, and how it looks.
ALTER TABLE restaurants
    ADD COLUMN address text,
    ADD COLUMN phone   text,
    ADD COLUMN picture uuid,
    ADD COLUMN hours   jsonb;
