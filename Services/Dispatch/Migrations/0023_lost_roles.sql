-- Since when somebody is a provider of the market no more, as identity tells: the orders that he has there end as a ban's do.
-- Null of a role that is there.
ALTER TABLE provider_roles ADD COLUMN lost_at timestamptz;
