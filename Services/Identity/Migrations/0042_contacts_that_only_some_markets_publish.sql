-- Only Carrepsa's people may show their contacts to all of their market (P8).
DELETE FROM published_contacts WHERE market <> 'carrepsa';
