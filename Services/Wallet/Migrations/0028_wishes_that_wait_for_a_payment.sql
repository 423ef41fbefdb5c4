-- How a subscription is to go on, said with a payment by card that is not made yet; and when what holds was chosen.
ALTER TABLE subscriptions
    ADD COLUMN chosen_at   timestamptz,
    ADD COLUMN wish_renews boolean,
    ADD COLUMN wish_card   uuid,
    ADD COLUMN wished_at   timestamptz;
