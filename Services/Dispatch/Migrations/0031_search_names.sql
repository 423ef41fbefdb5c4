-- Names that were folded before ß, ø, ł and their like, apostrophes and the digits of other scripts were. Only those that have
-- any: few rows, and no others are written.

UPDATE people SET search_name = translate(
    replace(replace(replace(replace(search_name, 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th'),
    'øłđðıħ٠١٢٣٤٥٦٧٨٩۰۱۲۳۴۵۶۷۸۹''`´ʻʼʽ‘’‛′', 'olddih01234567890123456789')
WHERE search_name ~ '[ßæœþøłđðıħ٠-٩۰-۹''`´ʻʼʽ‘’‛′]';

UPDATE restaurants SET search_name = translate(
    replace(replace(replace(replace(search_name, 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th'),
    'øłđðıħ٠١٢٣٤٥٦٧٨٩۰۱۲۳۴۵۶۷۸۹''`´ʻʼʽ‘’‛′', 'olddih01234567890123456789')
WHERE search_name ~ '[ßæœþøłđðıħ٠-٩۰-۹''`´ʻʼʽ‘’‛′]';
