-- Links between people that hold, as identity tells. One that was removed stays, so that its confirmation, which may come
-- later, is known as old.
CREATE TABLE links (
    link         uuid PRIMARY KEY,
    -- Of a family; null for friends.
    market       text,
    from_account uuid NOT NULL,
    to_account   uuid NOT NULL,
    scopes       text[] NOT NULL,
    is_removed   boolean NOT NULL
);
CREATE INDEX links_from ON links (from_account, to_account);
CREATE INDEX links_to ON links (to_account);

-- What the desk looks through: open visits of care partners by their time. A transition of an open order changes none of
-- this.
CREATE INDEX orders_at_desk ON orders (market, (coalesce(scheduled_at, requested_at)), id)
    WHERE kind = 'homeCare' AND NOT is_final;
