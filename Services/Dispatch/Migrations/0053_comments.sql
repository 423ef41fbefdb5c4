-- The purpose of each table, for those who read the database itself.
COMMENT ON TABLE bans IS
    'Accounts that may do nothing in a market, or in any, as identity tells. A lifted one stays, so that late news is old.';
COMMENT ON TABLE bike_rating_sums IS
    'Stars of hires for each bike; the ratings themselves go with their orders.';
COMMENT ON TABLE bikes IS
    'Each bike: in a rack, reserved, or out on a hire; and how it is.';
COMMENT ON TABLE blocks IS
    'Accounts that order nothing in a market until a fine is paid, as the wallet tells. The newest version wins.';
COMMENT ON TABLE board IS
    'Open orders that any provider of the market may take. A row is there as long as its order is on the board.';
COMMENT ON TABLE courier_trips IS
    'The meals that a courier holds: of one restaurant, as long as none of them has left it.';
COMMENT ON TABLE customer_roles IS
    'Customers of each market, as identity tells.';
COMMENT ON TABLE earnings IS
    'Earnings of each provider in all, by kind of order and currency. The sums stay when orders go.';
COMMENT ON TABLE earnings_of_days IS
    'Earnings of each provider, by day of the market''s zone.';
COMMENT ON TABLE links IS
    'Links between people, as identity tells. A removed one stays, so that late news is old.';
COMMENT ON TABLE menu_items IS
    'The dishes of restaurants.';
COMMENT ON TABLE offerings IS
    'The services that a provider does in a market, and at which price.';
COMMENT ON TABLE offers IS
    'The providers who were offered an order, once each, and how they answered.';
COMMENT ON TABLE order_odometers IS
    'The way that the provider of an order has gone; fines and fares follow from it. Without a key, as order_trails.';
COMMENT ON TABLE order_trails IS
    'The places of an order''s provider on the way. No key: a batch of positions waits for nobody who has an order in hand.';
COMMENT ON TABLE orders IS
    'Orders of all markets and kinds. The row is locked before an order changes, and before its provider''s row.';
COMMENT ON TABLE parcel_sharing IS
    'Parcels whose carrier lets the owner follow the way. A row is there as long as the carrier shares it.';
COMMENT ON TABLE payment_methods IS
    'Whether a customer has a card that can be charged, and the cards, as the wallet tells. The newest version wins.';
COMMENT ON TABLE people IS
    'People, as identity tells of them. The newest version wins.';
COMMENT ON TABLE photos IS
    'Photos of parcels and pictures of dishes, as they were cut down when they were uploaded.';
COMMENT ON TABLE promo_codes IS
    'Promo codes, as the wallet tells of them, so that quotes say what they give. The newest version wins.';
COMMENT ON TABLE promo_misses IS
    'How often an account has named codes that do not exist.';
COMMENT ON TABLE promo_uses IS
    'The code with which the payment of an order goes on, as the wallet tells.';
COMMENT ON TABLE provider_positions IS
    'The last place of each provider. Written in batches; the newest wins.';
COMMENT ON TABLE provider_roles IS
    'Providers, one row for each market, with what a customer and matching need to know of them.';
COMMENT ON TABLE provider_subscriptions IS
    'Until when a provider''s subscription in a market holds, as the wallet tells.';
COMMENT ON TABLE providers IS
    'One row for everybody who is a provider anywhere: the order that he or she holds now, in all markets together.';
COMMENT ON TABLE quotes IS
    'Prices that were said before an order. An unused one goes after its end, a used one with its order.';
COMMENT ON TABLE rack_rating_sums IS
    'Stars of hires for each rack; the ratings themselves go with their orders.';
COMMENT ON TABLE racks IS
    'Racks of bikes, with the hash of the key that a rack proves itself by.';
COMMENT ON TABLE rating_sums IS
    'Sums of the stars that others gave, for each person in each market, as customer or as provider.';
COMMENT ON TABLE ratings IS
    'Stars and words that the parties of a completed order gave each other.';
COMMENT ON TABLE reports IS
    'Words of an order''s party to the market''s admins: reports that ended the work, and complaints.';
COMMENT ON TABLE restaurant_returns IS
    'Money that customers got back of a restaurant''s sales, by day of the sale.';
COMMENT ON TABLE restaurant_sales IS
    'Sales of the time before each had a currency, by day and dish. restaurant_takings goes on from it.';
COMMENT ON TABLE restaurant_takings IS
    'Sales by day of the market, dish and currency. They outlive orders and dishes.';
COMMENT ON TABLE restaurants IS
    'Restaurants: one of an owner in a market.';
COMMENT ON TABLE round_areas IS
    'The area of each round of matching, and the process that has it until when.';
COMMENT ON TABLE round_explanations IS
    'The reasons of matching for each order, kept when the reasons changed.';
COMMENT ON TABLE searches IS
    'Orders that a provider is searched for. A row is there as long as the search goes on.';
COMMENT ON TABLE series IS
    'Visits and parcels that come again: what is asked for, and by which rule.';
COMMENT ON TABLE series_occurrences IS
    'Each visit of a series, named by the day that the rule gave it, so that none is made twice.';
COMMENT ON TABLE start_tries IS
    'How often a start code was tried.';
COMMENT ON TABLE unlock_codes IS
    'Codes that open a rack for an order, as hashes. A code goes with its order.';

COMMENT ON COLUMN orders.total IS
    'Minor units.';
COMMENT ON COLUMN orders.is_final IS
    'Whether it has ended for good; lists and retention read it.';
COMMENT ON COLUMN orders.payment_version IS
    'The version of the newest news of the wallet that counted.';
COMMENT ON COLUMN orders.met_provider IS
    'The provider whom the customer has said to be with.';
COMMENT ON COLUMN orders.report IS
    'The report that an admin is to decide about, or has decided about. No key: the report has one to its order.';
COMMENT ON COLUMN providers.current_order IS
    'Set by an update that is guarded by its being null. No key: its check would lock orders after providers.';
COMMENT ON COLUMN searches.round_at IS
    'When a round should look at it; null while somebody is asked.';
COMMENT ON COLUMN provider_positions.is_settled IS
    'Whether two positions have agreed since the place was last taken on trust.';
COMMENT ON TABLE order_cars IS
    'The car with which a trip is driven, as it was at the acceptance.';
COMMENT ON TABLE order_companions IS
    'The full name of the person who comes along with the provider of an order.';
