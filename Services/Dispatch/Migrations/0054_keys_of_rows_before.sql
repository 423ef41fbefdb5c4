-- Outside a transaction: the tables may be large, and nobody waits while their rows are compared.
ALTER TABLE bikes VALIDATE CONSTRAINT bikes_order_id_fkey;
ALTER TABLE quotes VALIDATE CONSTRAINT quotes_order_id_fkey;
ALTER TABLE series_occurrences VALIDATE CONSTRAINT series_occurrences_order_id_fkey;
ALTER TABLE unlock_codes VALIDATE CONSTRAINT unlock_codes_order_id_fkey;
ALTER TABLE orders VALIDATE CONSTRAINT orders_returned_to_fkey;
ALTER TABLE menu_items VALIDATE CONSTRAINT menu_items_picture_fkey;
ALTER TABLE restaurants VALIDATE CONSTRAINT restaurants_picture_fkey;
