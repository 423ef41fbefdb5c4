-- Outside a transaction: the table may be large. Orders are searched for by a part of somebody's name: folded here as SearchText
-- folds it, so that a search folds no name of the market again. The name itself is included because PostgreSQL reads an index
-- alone only where the index has each column that the expression names.
DROP INDEX CONCURRENTLY IF EXISTS people_by_folded_name;
CREATE INDEX CONCURRENTLY people_by_folded_name ON people_of_markets (market, (
    regexp_replace(regexp_replace(
        translate(
            replace(replace(replace(replace(
                translate(lower(normalize(name, NFKD)), 'ÆŒÞẞØŁĐÐĦ', 'æœþßøłđðħ'),
                'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th'),
            'ٱىیکةøłđðıħ٠١٢٣٤٥٦٧٨٩۰۱۲۳۴۵۶۷۸۹ـ''`´ʻʼʽ‘’‛′',
            'اييكهolddih01234567890123456789'),
        '[\u0300-\u036F\u0610-\u061A\u064B-\u065F\u0670\u200C-\u200F]', '', 'g'),
        '\s+', ' ', 'g')
), account) INCLUDE (name);
