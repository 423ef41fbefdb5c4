public import Postgres

extension SearchText {
    /// The SQL that folds a column of names as ``folded(_:)`` folds what was typed, for lists that are short enough to be
    /// looked through. The database must be able to normalize (its encoding is UTF-8).
    ///
    /// Admin's index `people_by_folded_name` and identity's `accounts_by_folded_name` have this very expression: with another one
    /// searches are slow until a migration makes both anew.
    public static func folding(_ column: SQL) -> SQL {
        """
        regexp_replace(regexp_replace(
            translate(
                replace(replace(replace(replace(
                    translate(lower(normalize(\(column), NFKD)), 'ÆŒÞẞØŁĐÐĦ', 'æœþßøłđðħ'),
                    'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th'),
                'ٱىیکةøłđðıħ٠١٢٣٤٥٦٧٨٩۰۱۲۳۴۵۶۷۸۹ـ''`´ʻʼʽ‘’‛′',
                'اييكهolddih01234567890123456789'),
            '[\\u0300-\\u036F\\u0610-\\u061A\\u064B-\\u065F\\u0670\\u200C-\\u200F]', '', 'g'),
            '\\s+', ' ', 'g')
        """
    }
}
