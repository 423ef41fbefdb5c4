-- Contacts that are open from the acceptance of an order until a day after its end (P8): also the contact of the relative
-- who is visited.
ALTER TABLE opened_contacts
    ADD COLUMN recipient uuid REFERENCES accounts ON DELETE SET NULL,
    ADD COLUMN closes_at timestamptz;
CREATE INDEX opened_contacts_of_recipient ON opened_contacts (recipient, provider) WHERE recipient IS NOT NULL;
