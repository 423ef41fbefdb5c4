import { language, Language } from "./language";

type Entry = { en: string; ar: string } | { en: (...values: never[]) => string; ar: (...values: never[]) => string };
type Same<T> = T extends string ? string : T;

/**
 * Words of a feature, in both languages side by side:
 *
 *     const words = catalogue({
 *       title: { en: "Inbox", ar: "الإشعارات" },
 *       hello: { en: (name: string) => `Hello, ${name}`, ar: (name: string) => `مرحبًا ${name}` },
 *     });
 *     words.title; words.hello("Huda");
 *
 * Each is read in the page's language of that moment. What lacks a language does not compile.
 */
export function catalogue<C extends Record<string, Entry>>(
  entries: C & { [K in keyof C]: { ar: Same<C[K]["en"]> } },
): { readonly [K in keyof C]: Same<C[K]["en"]> } {
  const result = {};
  for (const key of Object.keys(entries)) {
    Object.defineProperty(result, key, { enumerable: true, get: () => entries[key][language.get()] });
  }
  return result as { readonly [K in keyof C]: Same<C[K]["en"]> };
}

const rules: Record<Language, Intl.PluralRules> = { en: new Intl.PluralRules("en"), ar: new Intl.PluralRules("ar") };

type English = { one: string; other: string };
type Arabic = { zero?: string; one: string; two: string; few: string; many: string; other: string };

function form(tag: Language, number: number, forms: Partial<Arabic> & { other: string }): string {
  const chosen = forms[rules[tag].select(number) as keyof Arabic] ?? forms.other;
  return chosen.replace("#", number.toLocaleString(tag === "ar" ? "ar-u-nu-latn" : "en"));
}

/** A number with its noun; `#` is the number. Arabic has six forms. */
export const count = {
  en: (number: number, forms: English): string => form("en", number, forms),
  ar: (number: number, forms: Arabic): string => form("ar", number, forms),
};

/** The text as a unit of its own in a line that may run the other way: names, codes, addresses. */
export const isolate = (text: string): string => `\u2068${text}\u2069`;

/** The text of the page's language, from an API's `{en, ar}`. */
export const localized = (texts: Record<string, string>): string => texts[language.get()] ?? texts.en ?? Object.values(texts)[0] ?? "";

/** Why something is so, for people: the API's text, or somebody's own words; never the API's name of a reason. */
export const reasonOf = (text: string | undefined, reason: string | undefined): string | undefined =>
  text ?? (reason && /[^a-z-]/.test(reason) ? reason : undefined);
