import type { Identity } from "api-types";
import { api } from "../../../shared/api/client";
import { chooseLanguage, isLanguageChosen, language } from "../../../shared/language";
import { followActiveRole } from "../../../shared/market";
import { go, place } from "../../../shared/router";
import { beginSession } from "../../../shared/session";

/** Where one arrives: pilgrims log in for their friends alone. */
export const start = (): string => (place.get().market === "hajji" ? "friends" : "");

/** After a log-in: takes the account's language, or tells the account the one that was chosen here; then to where one wanted to go. Terms
 * that nobody has accepted yet come before that: whoever signs in with Nafath has seen no form. */
export function arrive(answer: Identity.Session): void {
  const wanted = place.get().query.get("to");
  beginSession(answer);
  void followAccount();
  const isFirst = localStorage.getItem("serai-toured") === null;
  const next = wanted && !wanted.startsWith("/") ? wanted : isFirst ? "tour" : start();
  const asksTerms = answer.termsAsked?.some((one) => one.market === place.get().market);
  go(asksTerms ? `me/terms?to=${encodeURIComponent(next)}` : next, { replace: true });
}

/** What the account has chosen on other devices: language and mode. */
async function followAccount(): Promise<void> {
  try {
    const profile = await api.get("/identity/v1/accounts/me");
    followActiveRole(profile.active, profile.roles);
    if (profile.language === language.get()) return;
    if (isLanguageChosen()) await api.patch("/identity/v1/accounts/me", {}, { language: language.get() });
    else chooseLanguage(profile.language);
  } catch {
    // At the next log-in.
  }
}
