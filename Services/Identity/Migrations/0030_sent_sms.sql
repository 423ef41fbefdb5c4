-- SMS of the last day, counted by number (its keyed hash), by the country's calling code and in all: each costs money, and who
-- earns by messages to numbers of his own has them sent by registering. Rows are only added and purged, so nobody waits for one.
CREATE TABLE sent_sms (
    id          uuid PRIMARY KEY,
    number_hash bytea NOT NULL,
    country     text NOT NULL,
    sent_at     timestamptz NOT NULL
);
CREATE INDEX sent_sms_number ON sent_sms (number_hash, sent_at);
CREATE INDEX sent_sms_country ON sent_sms (country, sent_at);
CREATE INDEX sent_sms_day ON sent_sms (sent_at);
