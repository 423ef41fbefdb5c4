-- Payments that are made without their customer, as those of visits that come again: tried again until their order's time
-- to be paid is over. A row is there as long as the payment is due.
CREATE TABLE unattended_payments (
    order_id    uuid PRIMARY KEY,
    -- How the customer wants it paid. Null with `card` is one that its owner agreed to have charged.
    method      text NOT NULL,
    card        uuid,
    agreed_at   timestamptz,
    -- Minor units: nothing above it is charged. Null is no limit.
    up_to       bigint,
    ends_at     timestamptz NOT NULL,
    -- How often it came to nothing, and why at last.
    failures    integer NOT NULL DEFAULT 0,
    reason      text,
    -- When the customer was told last, and whether of the end.
    noticed_at  timestamptz,
    is_warned   boolean NOT NULL DEFAULT false
);
