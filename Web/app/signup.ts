import type { Identity } from "api-types";
import { useEffect } from "preact";
import { isLanguageChosen, Language, language, languages, phoneLanguage } from "../shared/language";
import { modeOf } from "../shared/market";
import { Resource, useGet } from "../shared/resources";
import { usePlace } from "../shared/router";

export type SignUp = Identity.RegistrationRules;
export type RoleRules = SignUp["roles"][number];
export type Detail = Identity.AskedDetail;

/** What a market asks of people who register, in the reader's language; of the open market where none is named. */
export function useSignUp(named?: string): Resource<SignUp> & { reload: () => Promise<void> } {
  const { market } = usePlace();
  const id = named ?? market;
  const rules = useGet("/identity/v1/markets/{market}/registration", id ? { market: id } : null, ["registration"]);
  const first = rules.value?.languages.find((one) => languages.includes(one as Language)) as Language | undefined;
  // Whoever has chosen no language, on a phone that names none of ours, reads the market's own.
  useEffect(() => {
    if (first && !named && !isLanguageChosen() && !phoneLanguage()) language.set(first);
  }, [first]);
  return rules;
}

export const takes = (rules: SignUp | undefined, way: "password" | "nafath"): boolean => rules?.ways.some((one) => one.way === way && one.open) ?? false;

/** What a role is told by in forms: its title, or `customer`. */
export const idOf = (rule: RoleRules): string => rule.title ?? rule.role;

/** Roles that people can ask for. Where Nafath is the way in, it names the titles itself. */
export const openRoles = (rules: SignUp): RoleRules[] =>
  rules.roles.filter((rule) => !rule.invitationOnly && (rule.role === "customer" || !takes(rules, "nafath")));

/** Roles that an account can ask for: of each mode that it has not, and those that were rejected. A driver may have a restaurant, too. */
export const missingRoles = (rules: SignUp, roles: Identity.Role[]): RoleRules[] => openRoles(rules).filter((rule) => {
  const mode = modeOf(idOf(rule));
  const own = roles.find((role) => role.market === rules.market && role.role === rule.role && modeOf(role.title ?? role.role) === mode);
  return !own || own.state === "rejected";
});
