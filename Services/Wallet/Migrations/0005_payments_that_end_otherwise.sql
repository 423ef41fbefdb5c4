-- A payment is known from the order's request on, and knows until when it can be paid.
ALTER TABLE payments
    DROP CONSTRAINT payments_state_check,
    ADD CONSTRAINT payments_state_check CHECK (state IN
        ('requested', 'due', 'authorising', 'held', 'capturing', 'captured', 'releasing', 'released', 'closed')),
    -- When the order's present wait ends, as its newest snapshot says.
    ADD COLUMN order_deadline timestamptz;

-- What is captured can be given back; what is only authorised is captured before it lapses.
ALTER TABLE charges
    DROP CONSTRAINT charges_state_check,
    ADD CONSTRAINT charges_state_check CHECK (state IN
        ('asked', 'authorised', 'captured', 'cancelled', 'refunded', 'declined', 'lapsed')),
    ADD COLUMN capture_at timestamptz,
    -- When its state or goal last changed; tries do not count.
    ADD COLUMN changed_at timestamptz NOT NULL DEFAULT now();

-- For those that wait already: an authorisation lives for seven days at most payment providers.
UPDATE charges
SET capture_at = made_at + interval '6 days',
    due_at = CASE WHEN state = 'authorised' AND goal = 'authorise' THEN made_at + interval '6 days' ELSE due_at END
WHERE purpose = 'payment' AND state IN ('asked', 'authorised');
-- Captured by somebody else while it was to be cancelled: now it is refunded.
UPDATE charges SET due_at = now() WHERE purpose = 'payment' AND state = 'captured' AND goal = 'cancel';
