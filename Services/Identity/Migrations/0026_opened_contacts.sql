-- Orders in whose dispute customer and provider see each other's contact (P8), by what dispatch tells. A row stays closed for a
-- while, so that older news opens nothing again.
CREATE TABLE opened_contacts (
    order_id   uuid        PRIMARY KEY,
    market     text        NOT NULL,
    customer   uuid        NOT NULL REFERENCES accounts ON DELETE CASCADE,
    provider   uuid        NOT NULL REFERENCES accounts ON DELETE CASCADE,
    -- The order's.
    version    bigint      NOT NULL,
    is_open    boolean     NOT NULL,
    changed_at timestamptz NOT NULL
);
CREATE INDEX opened_contacts_of_customer ON opened_contacts (customer, provider);
CREATE INDEX opened_contacts_of_provider ON opened_contacts (provider, customer);
CREATE INDEX opened_contacts_closed ON opened_contacts (changed_at) WHERE NOT is_open;
