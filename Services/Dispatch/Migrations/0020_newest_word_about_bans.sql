-- Which of two words about an account and a market is the newer one, by the account's version: the times are of identity's
-- processes, whose clocks differ, and are read before the account is locked. Null of a word that did not say it.
ALTER TABLE bans ADD COLUMN version bigint;
