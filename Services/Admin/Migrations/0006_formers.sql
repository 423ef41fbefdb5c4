-- Whom an order lost by this event: his or her words are found when the account goes, although the order is another's by then.
ALTER TABLE order_events ADD COLUMN former uuid;
CREATE INDEX order_events_of_former ON order_events (former) WHERE former IS NOT NULL;
