-- A way of payment that an admin named for a caller: its card is charged only while its owner releases it for that. Series from
-- before are taken for their customers' own.
ALTER TABLE series ADD COLUMN by_desk boolean NOT NULL DEFAULT false;
