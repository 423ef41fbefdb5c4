import { api } from "../../../shared/api/client";
import { Language, language } from "../../../shared/language";

const kept = "serai-nafath";

export interface Begun {
  market: string;
  state: string;
  secret: string;
  to: string;
  /** Of the page that was left: one comes back in it. */
  language: Language;
}

/** Leaves the app for Nafath. Nobody but the tab that began can finish. */
export async function beginNafath(market: string, to: string): Promise<void> {
  const begun = await api.post("/identity/v1/sessions/nafath", {}, { market }, { anonymous: true });
  sessionStorage.setItem(kept, JSON.stringify({ market, state: begun.state, secret: begun.secret, to, language: language.get() } as Begun));
  location.assign(begun.url);
}

export function begunNafath(): Begun | undefined {
  return JSON.parse(sessionStorage.getItem(kept) ?? "null") as Begun | undefined ?? undefined;
}

export const forgetNafath = (): void => sessionStorage.removeItem(kept);
