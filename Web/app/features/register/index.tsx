import type { Component } from "preact";
import { useState } from "preact";
import type { Identity } from "api-types";
import { api } from "../../../shared/api/client";
import { CheckField, ChoiceField, Form, PasswordField, Submit, TextField, useForm } from "../../../shared/forms";
import { fieldId } from "../../../shared/forms/form";
import { language } from "../../../shared/language";
import { ChosenPlace, PlaceField } from "../../../shared/map/place-picker";
import { go, to } from "../../../shared/router";
import { Button, Empty, Loaded, Note, Screen, Section, uiWords } from "../../../shared/ui";
import type { ScreenProperties } from "../../features";
import { modeName } from "../../roles";
import { idOf, openRoles, RoleRules, SignUp, takes, useSignUp } from "../../signup";
import { BillingFields, billingBody, emptyBilling, wrongBilling } from "./billing";
import { addressBody, badEmail, badMobile, DetailFields, detailsBody, emptyDetails, mobileNumber, wrongDetails, yearsSince } from "./details";
import { TermsField } from "./terms";
import { words } from "./words";

const examples: Record<string, string> = {
  assef: "+966 50 123 4567", hajji: "+966 50 123 4567", edencare: "+1 306 555 0123", btnc: "+61 412 345 678", carrepsa: "+46 70 123 45 67",
};
type Fields = {
  kind: string; first: string; last: string; email: string; mobile: string; password: string; repeat: string; birthDate: string;
  accompaniedBy: string; street: string; place: string; terms: boolean; relative: string; relativeOrders: boolean; relativeSees: boolean;
} & Record<`details.${string}` | `billingAddress.${string}`, string>;

const emptyOf = (rules: SignUp): Fields => ({
  kind: "", first: "", last: "", email: "", mobile: "", password: "", repeat: "", birthDate: "", accompaniedBy: "", street: "", place: "", terms: false, relative: "", relativeOrders: true, relativeSees: true,
  ...emptyBilling(rules.market), ...emptyDetails(rules.roles.flatMap((rule) => rule.details)),
});

export const isStrong = (password: string): boolean =>
  password.length >= 10 && /\p{Lu}/u.test(password) && (password.match(/\p{Nd}/gu) ?? []).length >= 2;

const ruleOf = (rules: SignUp, kind: string): RoleRules => openRoles(rules).find((rule) => idOf(rule) === kind) ?? rules.roles[0];

/** Whether somebody of that age names an adult who comes along. */
export const needsAdult = (rule: RoleRules | undefined, born: string): boolean => Boolean(rule?.ages?.adultBelow && born && yearsSince(born) < rule.ages.adultBelow);

function faultsOf(rules: SignUp, values: Fields, chosen: ChosenPlace | undefined): Partial<Record<keyof Fields, string>> {
  const rule = ruleOf(rules, values.kind);
  const faults: Partial<Record<keyof Fields, string>> = {};
  const need = (name: keyof Fields): void => {
    if (!String(values[name]).trim()) faults[name] = uiWords.needed;
  };
  (["first", "last", "email", "mobile"] as const).forEach(need);
  if (values.email && badEmail(values.email)) faults.email = words.badEmail;
  if (values.mobile && badMobile(values.mobile)) faults.mobile = words.badMobile;
  if (!isStrong(values.password)) faults.password = words.weak;
  if (values.password !== values.repeat) faults.repeat = words.notEqual;
  if (rule.ages) {
    need("birthDate");
    if (values.birthDate && yearsSince(values.birthDate) < rule.ages.minimum) faults.birthDate = words.tooYoung(rule.ages.minimum);
    else if (needsAdult(rule, values.birthDate)) need("accompaniedBy");
  }
  Object.assign(faults, wrongDetails(rule.details, values), rule.asksBillingAddress ? wrongBilling(values) : {});
  if (rule.asksAddress) {
    if (!chosen) faults.place = uiWords.needed;
    need("street");
  }
  if (rule.asksFamily && values.relative.trim()) {
    const isByEmail = rule.familyBy === "email";
    if (isByEmail ? badEmail(values.relative) : badMobile(values.relative)) faults.relative = isByEmail ? words.badEmail : words.badMobile;
    else if (!values.relativeOrders && !values.relativeSees) faults.relative = words.relativeMay;
  }
  if (rules.terms && !values.terms) faults.terms = uiWords.needed;
  return faults;
}

/** The relative who was named, by the contact that the market proves. */
function familyOf(rule: RoleRules, values: Fields): Identity.Registration["family"] {
  const who = values.relative.trim();
  if (!who) return undefined;
  const scopes = [...(values.relativeOrders ? ["order" as const] : []), ...(values.relativeSees ? ["see" as const] : [])];
  return [{ ...(rule.familyBy === "email" ? { email: who } : { mobile: mobileNumber(who) }), scopes }];
}

function registration(rules: SignUp, values: Fields, chosen: ChosenPlace | undefined): Identity.Registration {
  const rule = ruleOf(rules, values.kind);
  return {
    market: rules.market, role: rule.role, title: rule.title, name: `${values.first.trim()} ${values.last.trim()}`, email: values.email.trim(),
    mobile: mobileNumber(values.mobile), password: values.password, language: language.get(), terms: rules.terms?.version,
    birthDate: rule.ages ? values.birthDate : undefined,
    accompaniedBy: needsAdult(rule, values.birthDate) ? values.accompaniedBy.trim() : undefined,
    details: detailsBody(rule.details, values), family: rule.asksFamily ? familyOf(rule, values) : undefined,
    address: rule.asksAddress ? addressBody(values.street, chosen) : undefined,
    billingAddress: rule.asksBillingAddress ? billingBody(values) : undefined,
  };
}

const RegisterForm: Component<{ rules: SignUp; as?: string }> = ({ rules, as }) => {
  const { market } = rules;
  const roles = openRoles(rules);
  const [chosen, setChosen] = useState<ChosenPlace | undefined>(undefined);
  const form = useForm<Fields, Identity.Account>({
    initial: { ...emptyOf(rules), kind: as ?? idOf(roles[0]) },
    keep: { name: `register-${market}`, secret: ["password", "repeat"] },
    check: (values) => faultsOf(rules, values, chosen),
    pointers: { "/name": "first", "/address": "place", "/address/coordinates": "place", "/address/name": "street", "/family/0/mobile": "relative", "/family/0/email": "relative", "/family/0": "relative", "/family": "relative" },
    send: (values, key) => api.post("/identity/v1/accounts", {}, registration(rules, values, chosen), { key, anonymous: true }),
    done: (account, values) => {
      if (account.secret) sessionStorage.setItem("serai-confirm", account.secret);
      const login = account.confirmation === "sms" ? mobileNumber(values.mobile) : values.email.trim();
      go(account.confirmation ? `confirm?by=${account.confirmation}&login=${encodeURIComponent(login)}` : `login?login=${encodeURIComponent(login)}`, { replace: true });
    },
  });
  const rule = ruleOf(rules, form.values.kind);
  form.label("place", words.addressText);
  const texts: Record<string, string> = market === "carrepsa" ? { customer: words.senderText, carrier: words.carrierText }
    : { customer: market === "btnc" ? words.riderText : "", driver: words.driverText, restaurant: words.restaurantText };
  const isLacking = Object.values(form.faults).includes(uiWords.needed);
  return (
    <Screen title={words.title} back="welcome" plain footer={<Submit form={form}>{words.create}</Submit>}>
      <Form form={form} label={words.title}>
        {roles.length > 1 && (
          <ChoiceField form={form} name="kind" label={words.kind}
            options={roles.map((one) => ({ value: idOf(one), label: one.titleName ?? modeName("customer"), detail: texts[idOf(one)] || undefined }))} />
        )}
        <TextField form={form} name="first" label={words.first} autocomplete="given-name" maximum={49} />
        <TextField form={form} name="last" label={words.last} autocomplete="family-name" maximum={49} />
        <TextField form={form} name="email" label={words.email} kind="email" autocomplete="email" hint={words.emailHint} maximum={254} />
        <TextField form={form} name="mobile" label={words.mobile} kind="tel" autocomplete="tel" hint={words.mobileHint(examples[market])} />
        <PasswordField form={form} name="password" label={words.password} hint={words.passwordHint} isNew />
        <PasswordField form={form} name="repeat" label={words.repeat} isNew />
        {rule.ages && <TextField form={form} name="birthDate" label={words.birth} kind="date" autocomplete="bday" />}
        {needsAdult(rule, form.values.birthDate) && <TextField form={form} name="accompaniedBy" label={words.adult} hint={words.adultHint(rule.ages?.adultBelow ?? 0)} />}
        {rule.asksAddress && (
          <Section title={words.address}>
            <PlaceField id={fieldId(form, "place")} label={words.addressText} value={chosen} fault={form.faults.place}
              onChoose={(found) => { setChosen(found); form.set("place", found.name); }} />
            <TextField form={form} name="street" label={words.addressName} hint={rules.freeTextNote} autocomplete="street-address" maximum={300} />
          </Section>
        )}
        {rule.asksBillingAddress && <Section title={words.billing}><BillingFields form={form} /></Section>}
        {rule.asksFamily && (
          <details class="fold" open={form.faults.relative ? true : undefined}>
            <summary>{words.family}</summary>
            <TextField form={form} name="relative" label={rule.familyBy === "email" ? words.relativeEmail : words.relativeMobile} kind={rule.familyBy === "email" ? "email" : "tel"}
              hint={words.relativeHint} maximum={254} optional />
            <CheckField form={form} name="relativeOrders" label={words.relativeOrders} />
            <CheckField form={form} name="relativeSees" label={words.relativeSees} />
          </details>
        )}
        {rule.details.length > 0 && (
          <Section title={words.work}><DetailFields form={form} details={rule.details} /></Section>
        )}
        {rules.terms && <TermsField form={form} terms={rules.terms} />}
        {market === "hajji" && form.refusals > 0 && Object.keys(form.faults).length > 0 && <Note tone="danger">{isLacking ? words.fillAll : words.byHint}</Note>}
      </Form>
      <Button kind="quiet" href={to("login")}>{words.have}</Button>
    </Screen>
  );
};

/** The rules come from the API; where people do not register, it says so. */
const Register: Component<ScreenProperties> = ({ query }) => {
  const rules = useSignUp();
  const found = rules.value;
  if (found && takes(found, "password")) return <RegisterForm key={found.market} rules={found} as={query.get("as") ?? undefined} />;
  return (
    <Screen title={words.title} back="welcome" plain>
      <Loaded of={rules}>
        {() => <Empty icon="shield" title={takes(found, "nafath") ? words.nafath : words.closed}><Button href={to("login")}>{words.have}</Button></Empty>}
      </Loaded>
    </Screen>
  );
};

export default Register;
