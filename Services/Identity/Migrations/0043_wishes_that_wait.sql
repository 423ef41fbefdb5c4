-- A relative who is not known yet may register, or prove the contact, later. Such a wish waits; null is a wish that was
-- not looked at yet.
ALTER TABLE family_wishes ADD COLUMN waits_until timestamptz;
CREATE INDEX family_wishes_by_contact ON family_wishes (contact_hash) WHERE waits_until IS NOT NULL;
