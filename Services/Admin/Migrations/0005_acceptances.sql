-- Of which acceptance `accepted_at` and `companion` are: an order that loses its provider is accepted again.
ALTER TABLE orders ADD COLUMN accepted_version bigint;
