import { Cell } from "./cell";

export type Language = "en" | "ar";
export const languages: readonly Language[] = ["en", "ar"];

const kept = "serai-language";

/** The first of ours that the phone names. */
export const phoneLanguage = (): Language | undefined =>
  navigator.languages.map((tag) => tag.slice(0, 2).toLowerCase() as Language).find((tag) => languages.includes(tag));

function first(): Language {
  const chosen = localStorage.getItem(kept);
  return chosen === "en" || chosen === "ar" ? chosen : phoneLanguage() ?? "en";
}

/** The language of everything on the page. */
export const language = new Cell<Language>(first());

/** Whether the person has chosen a language here, or the account has. */
export const isLanguageChosen = (): boolean => localStorage.getItem(kept) !== null;

export function chooseLanguage(chosen: Language): void {
  localStorage.setItem(kept, chosen);
  language.set(chosen);
}

/** The language's own name, which people look for. */
export const languageName: Record<Language, string> = { en: "English", ar: "العربية" };

/** Keeps the page's `lang` and `dir` as the language is. */
export function followLanguage(): void {
  const apply = (): void => {
    document.documentElement.lang = language.get();
    document.documentElement.dir = language.get() === "ar" ? "rtl" : "ltr";
  };
  apply();
  language.follow(apply);
}
