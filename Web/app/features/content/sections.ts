/** The sections that everybody reads, each at `help/NAME`. Those of pilgrims are the last four. */
export const sections = ["about", "privacy", "terms", "faq", "news", "fatawa", "rituals", "contacts"] as const;
