import type { Identity } from "api-types";
import type { Component } from "preact";
import { api } from "../../../shared/api/client";
import { latinDigits } from "../../../shared/format";
import { languageName } from "../../../shared/language";
import { useMarket } from "../../../shared/market";
import { usePlace } from "../../../shared/router";
import { isolate } from "../../../shared/words";
import { momentOf } from "../../../shared/zone";
import { Act, ActField, optionsOf, reasonField } from "../../kit";
import { useMay } from "../../rights";
import { words } from "./words";

const mobileOf = (text: unknown): string => latinDigits(String(text ?? "")).replace(/[\s()-]/g, "");
const genders = (): { value: string; label: string }[] => optionsOf({ female: words.female, male: words.male });

/** Role and title: the titles are the market's. */
function useRoleFields(): ActField[] {
  const titles = (useMarket().market?.titles ?? []).map((title) => ({ value: title.id ?? "", label: title.name ?? title.id ?? "" }));
  return [
    // A market without titles has no providers.
    { name: "role", label: words.role, kind: "choice", initial: titles.length > 0 ? "provider" : "customer", options: optionsOf(titles.length > 0 ? { provider: words.provider, customer: words.customer } : { customer: words.customer }) },
    { name: "title", label: words.work, kind: "select", options: titles, initial: titles[0]?.value ?? "", when: (values) => values.role === "provider" && titles.length > 0, optional: true },
  ];
}
const roleOf = (values: Record<string, string | boolean>): { role: "customer" | "provider"; title?: string } =>
  ({ role: values.role as "provider", title: values.role === "provider" ? String(values.title || "") || undefined : undefined });

export const Create: Component = () => {
  const { market } = usePlace();
  const fields: ActField[] = [
    ...useRoleFields(),
    { name: "name", label: words.name, maximum: 100 }, { name: "email", label: words.email, kind: "email" }, { name: "mobile", label: words.mobile, kind: "tel" },
    { name: "language", label: words.language, kind: "select", initial: "ar", options: optionsOf(languageName) },
    { name: "gender", label: words.gender, kind: "select", optional: true, options: genders() },
  ];
  return (
    <Act label={words.create} title={words.create} text={words.createText} look="primary" fields={fields} tags={["people"]}
      send={(values, key) => api.post("/identity/v1/markets/{market}/people", { market }, {
        ...roleOf(values), name: String(values.name), email: String(values.email).trim(), mobile: mobileOf(values.mobile),
        language: values.language as "en", gender: (values.gender || undefined) as Identity.Gender | undefined,
      }, { key })} />
  );
};

export const Offer: Component = () => {
  const { market } = usePlace();
  const fields: ActField[] = [...useRoleFields(), { name: "email", label: words.email, kind: "email", optional: true }, { name: "mobile", label: words.mobile, kind: "tel", optional: true }];
  return (
    <Act label={words.offer} title={words.offer} text={words.offerText} fields={fields} told={() => words.offered}
      check={(values) => ({ email: !values.email && !values.mobile && words.oneIsNeeded })}
      send={(values, key) => api.post("/identity/v1/markets/{market}/role-offers", { market }, {
        ...roleOf(values), email: String(values.email).trim() || undefined, mobile: mobileOf(values.mobile) || undefined,
      }, { key })} />
  );
};

export const Ban: Component<{ account: string; name: string }> = ({ account, name }) => {
  const { market } = usePlace();
  const zone = useMarket().market?.timeZone ?? "UTC";
  const mayEverywhere = useMay("master");
  const moment = (text: unknown): Date => momentOf(String(text).slice(0, 10), String(text).slice(11, 16), zone);
  const fields: ActField[] = [
    reasonField(),
    { name: "length", label: words.howLong, kind: "choice", initial: "time", options: optionsOf({ time: words.aTime, ever: words.forEver }) },
    { name: "until", label: words.endsAt, kind: "datetime-local", when: (values) => values.length === "time" },
    ...(mayEverywhere ? [{ name: "where", label: words.where, kind: "choice", initial: "here", options: optionsOf({ here: words.here, everywhere: words.everywhere }) } as ActField] : []),
  ];
  return (
    <Act label={words.ban} title={words.banWho(isolate(name))} text={words.banText} look="danger" fields={fields} tags={["people", "bans", `person:${account}`]}
      check={(values) => ({ until: values.length === "time" && Boolean(values.until) && moment(values.until).getTime() <= Date.now() && words.past })}
      send={(values, key) => api.post("/identity/v1/markets/{market}/bans", { market: values.where === "everywhere" ? "*" : market }, {
        account, reason: String(values.reason), until: values.length === "time" ? moment(values.until).toISOString() : undefined,
      }, { key })} />
  );
};

export const Lift: Component<{ account: string; name: string; market: string; small?: boolean }> = ({ account, name, market, small }) => (
  <Act label={words.lift} title={words.liftWho(isolate(name))} text={words.liftText} small={small} needs={market === "*" ? "master" : "admin"} tags={["people", "bans", `person:${account}`]}
    send={() => api.delete("/identity/v1/markets/{market}/bans/{account}", { market, account })} />
);

/** What admins do about one person, but for papers. */
export const PersonActs: Component<{ person: Identity.MarketPerson }> = ({ person }) => {
  const { market } = usePlace();
  const { account, name, ban } = person;
  const shown = isolate(name);
  const tags = ["people", `person:${account}`];
  const roleFields = useRoleFields();
  return (
    <>
      {ban ? <Lift account={account} name={name} market={ban.market} /> : <Ban account={account} name={name} />}
      <Act label={words.change} title={words.changeWho(shown)} tags={tags}
        fields={[
          { name: "name", label: words.name, initial: name, maximum: 100 },
          { name: "gender", label: words.gender, kind: "select", initial: person.gender ?? "", optional: true, options: genders() },
          { name: "language", label: words.language, kind: "select", initial: person.language, options: optionsOf(languageName) },
        ]}
        send={(values) => api.patch("/identity/v1/markets/{market}/people/{account}", { market, account }, {
          name: String(values.name), gender: (values.gender || undefined) as Identity.Gender | undefined, language: values.language as "en",
        })} />
      <Act label={words.correct} title={words.correctWho(shown)} text={words.correctText} tags={tags}
        fields={[{ name: "email", label: words.email, kind: "email", optional: true }, { name: "mobile", label: words.mobile, kind: "tel", optional: true }]}
        check={(values) => ({ email: !values.email && !values.mobile && words.oneIsNeeded })}
        send={(values, key) => api.post("/identity/v1/markets/{market}/people/{account}/contact", { market, account }, {
          email: String(values.email).trim() || undefined, mobile: mobileOf(values.mobile) || undefined,
        }, { key })} />
      <Act label={words.giveRole} title={words.giveRoleWho(shown)} tags={tags} fields={roleFields}
        send={(values, key) => api.post("/identity/v1/markets/{market}/people/{account}/roles", { market, account }, roleOf(values), { key })} />
      <Act label={words.invite} title={words.inviteWho(shown)} tags={tags}
        send={(_, key) => api.post("/identity/v1/markets/{market}/people/{account}/invitation", { market, account }, undefined, { key })} />
      <Act label={words.resetFactor} title={words.resetWho(shown)} text={words.resetText} tags={tags}
        send={(_, key) => api.post("/identity/v1/markets/{market}/people/{account}/second-factor-reset", { market, account }, undefined, { key })} />
      <Act label={words.remove} title={words.removeWho(shown)} text={words.removeText} look="danger" tags={tags}
        send={() => api.delete("/identity/v1/markets/{market}/people/{account}", { market, account })} />
    </>
  );
};
