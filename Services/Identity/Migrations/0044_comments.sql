-- The purpose of each table, for those who read the database itself.
COMMENT ON TABLE accepted_terms IS
    'The version of the terms that an account has accepted, for each market.';
COMMENT ON TABLE accounts IS
    'People and restaurants. Their e-mail, mobile and other personal data are sealed, and found by keyed hashes.';
COMMENT ON TABLE api_keys IS
    'Keys by which a business''s own programs act for its account, as a customer of one market.';
COMMENT ON TABLE avatars IS
    'Pictures of people, one each.';
COMMENT ON TABLE banned_hashes IS
    'Bans of people who are gone: keyed hashes of what they were known by. No key to accounts: the ban stays.';
COMMENT ON TABLE bans IS
    'Accounts that may do nothing in a market, or in any.';
COMMENT ON TABLE contact_changes IS
    'E-mail addresses and mobile numbers that somebody wants instead, until it is shown that he or she reads them.';
COMMENT ON TABLE contact_targets IS
    'How much was sent within a day to one number or address, by its keyed hash.';
COMMENT ON TABLE deletion_answers IS
    'Answers of the services that were asked about a deletion.';
COMMENT ON TABLE deletions IS
    'Deletions of accounts. No key to accounts: the account goes, the outcome stays for a month.';
COMMENT ON TABLE devices IS
    'Devices that an account was logged in from, so that its owner is told of what is new.';
COMMENT ON TABLE documents IS
    'Papers of providers: of a kind one that was verified, and one that waits or was rejected.';
COMMENT ON TABLE family_wishes IS
    'Relatives whom somebody named when registering, as keyed hashes, until the account is confirmed.';
COMMENT ON TABLE left_markets IS
    'Accounts that an admin has removed from a market; as providers there they are looked at again.';
COMMENT ON TABLE link_asks IS
    'How often an account has asked for a number today.';
COMMENT ON TABLE links IS
    'Two people who know each other. A link that was refused or removed has no row.';
COMMENT ON TABLE login_challenges IS
    'Logins whose password was right, and whose second factor is awaited.';
COMMENT ON TABLE login_failures IS
    'Failed logins, by a keyed hash of the account or of the address they came from.';
COMMENT ON TABLE nafath_attempts IS
    'Sign-ins by Nafath that were begun.';
COMMENT ON TABLE nafath_tickets IS
    'People whom Nafath has named and who have to prove an account''s mobile number; the newest for each account.';
COMMENT ON TABLE national_ids IS
    'The national id of an account''s owner, as Nafath has told it: sealed, and found by a keyed hash.';
COMMENT ON TABLE opened_contacts IS
    'Orders whose customer and provider see each other''s contact. A closed one stays for a while.';
COMMENT ON TABLE passwords IS
    'Hashes of passwords. An account without a row has none to log in with.';
COMMENT ON TABLE proofs IS
    'Codes and links that prove that somebody reads the account''s mail or SMS; the newest of each purpose.';
COMMENT ON TABLE published_contacts IS
    'The contacts that people have chosen to show to a market.';
COMMENT ON TABLE ratings IS
    'Stars that others gave somebody, as a sum; dispatch has the ratings themselves.';
COMMENT ON TABLE recent_places IS
    'Places that people have chosen lately, sealed.';
COMMENT ON TABLE recovery_codes IS
    'Codes for those who have lost their second factor, as hashes. A used one is deleted.';
COMMENT ON TABLE refresh_tokens IS
    'Tokens of a session, as hashes. A used one that comes again ends the session.';
COMMENT ON TABLE removals IS
    'Accounts that an admin is asked to remove from a market.';
COMMENT ON TABLE role_details IS
    'Details of a role that are typed in, sealed: licence and vehicle, business, the adult of a young rider.';
COMMENT ON TABLE role_offers IS
    'Roles that admins offer to people whom other markets know; the newest of each kind in each market.';
COMMENT ON TABLE roles IS
    'The roles of an account in each market, and whether an admin has verified it.';
COMMENT ON TABLE saved_places IS
    'Places that people order to, sealed.';
COMMENT ON TABLE second_factors IS
    'Secrets of authenticator apps, sealed. One counts once its owner has entered a code of it.';
COMMENT ON TABLE sent_sms IS
    'SMS of the last day, counted by number, by country and in all, because each costs money.';
COMMENT ON TABLE sessions IS
    'Logins on one device each: a family of refresh tokens.';
COMMENT ON TABLE shared_places IS
    'Places where somebody is, for friends, sealed; gone when it ends.';
COMMENT ON TABLE title_questions IS
    'Medical professions that Nafath named and that are no title of the market: an admin decides.';
COMMENT ON TABLE billing_addresses IS
    'Where the bills of an account in a market go, sealed.';
