import type { Component } from "preact";
import { useState } from "preact";
import { api } from "../../../shared/api/client";
import { ChoiceField, fieldId, Form, Submit, TextField, useForm } from "../../../shared/forms";
import { ChosenPlace, PlaceField } from "../../../shared/map/place-picker";
import { chooseMode, modeOf } from "../../../shared/market";
import { useGet } from "../../../shared/resources";
import { go, place, to } from "../../../shared/router";
import { renewRoles, session } from "../../../shared/session";
import { Button, Loaded, Screen, Section, toast, uiWords } from "../../../shared/ui";
import { modeName } from "../../roles";
import { idOf, missingRoles, SignUp, useSignUp } from "../../signup";
import { BillingFields, billingBody, emptyBilling, wrongBilling } from "../register/billing";
import { addressBody, DetailFields, detailsBody, emptyDetails, wrongDetails } from "../register/details";
import { needsAdult } from "../register/index";
import { TermsField } from "../register/terms";
import { words as register } from "../register/words";
import type { PartProperties } from "./index";
import { words } from "./words";

type Fields = Record<string, string | boolean> & { terms: boolean };

const RoleForm: Component<PartProperties & { rules: SignUp }> = ({ me, rules }) => {
  const { market } = rules;
  const missing = missingRoles(rules, session.get().roles);
  const wanted = missing.find((rule) => idOf(rule) === place.get().query.get("as")) ?? missing[0];
  // Whoever has given one in this market is not asked again.
  const billing = useGet("/identity/v1/accounts/me/markets/{market}/billing-address", missing.some((rule) => rule.asksBillingAddress) ? { market } : null, ["billing"]);
  const asksBilling = (rule: typeof wanted | undefined): boolean => Boolean(rule?.asksBillingAddress) && !billing.value && !billing.isLoading;
  const isAccepted = me.value?.terms.some((one) => one.market === market && one.version === rules.terms?.version) ?? false;
  const terms = isAccepted ? undefined : rules.terms;
  /** Where a contact is confirmed, which this market asks for first. */
  const [proof, setProof] = useState<string | undefined>(undefined);
  const [chosen, setChosen] = useState<ChosenPlace | undefined>(undefined);
  const ruleOf = (kind: unknown) => missing.find((one) => idOf(one) === kind);
  const form = useForm<Fields, unknown>({
    initial: { kind: wanted ? idOf(wanted) : "", birthDate: me.value?.birthDate ?? "", accompaniedBy: "", place: "", street: "", terms: false, ...emptyBilling(market), ...emptyDetails(missing.flatMap((rule) => rule.details)) },
    check: (values) => {
      const rule = ruleOf(values.kind);
      const faults: Record<string, string | false> = { ...wrongDetails(rule?.details ?? [], values), ...(asksBilling(rule) ? wrongBilling(values) : {}) };
      if (rule?.ages && !values.birthDate) faults.birthDate = uiWords.needed;
      if (needsAdult(rule, String(values.birthDate)) && !String(values.accompaniedBy).trim()) faults.accompaniedBy = uiWords.needed;
      if (rule?.asksAddress) {
        if (!chosen) faults.place = uiWords.needed;
        if (!String(values.street).trim()) faults.street = uiWords.needed;
      }
      if (terms && !values.terms) faults.terms = uiWords.needed;
      return faults;
    },
    send: (values, key) => {
      const rule = ruleOf(values.kind) ?? missing[0];
      return api.post("/identity/v1/accounts/me/roles", {}, {
        market, role: rule.role, title: rule.title, terms: rules.terms?.version, birthDate: rule.ages ? String(values.birthDate) : undefined,
        accompaniedBy: needsAdult(rule, String(values.birthDate)) ? String(values.accompaniedBy).trim() : undefined,
        address: rule.asksAddress ? addressBody(String(values.street), chosen) : undefined, details: detailsBody(rule.details, values),
        billingAddress: asksBilling(rule) ? billingBody(values) : undefined,
      }, { key });
    },
    refused: (problem) => setProof(problem.slug === "email-unproved" ? "me/email" : problem.slug === "mobile-unproved" ? "me/mobile" : undefined),
    pointers: { "/address": "place", "/address/coordinates": "place", "/address/name": "street" },
    done: async (_, values) => {
      await renewRoles().catch(() => undefined);
      chooseMode(market, modeOf(String(values.kind)));
      toast(words.saved);
      go(ruleOf(values.kind)?.papers.length ? `papers/${String(values.kind)}` : "", { replace: true });
    },
  });
  const rule = ruleOf(form.values.kind);
  form.label("place", register.addressText);
  return (
    <Screen title={words.addRole} back="me" footer={missing.length > 0 && <Submit form={form}>{words.addRole}</Submit>}>
      <Form form={form}>
        {proof && <Button kind="second" icon={proof === "me/email" ? "mail" : "phone"} href={to(proof)}>{proof === "me/email" ? words.proveEmail : words.proveMobile}</Button>}
        <ChoiceField form={form} name="kind" label={words.mode} options={missing.map((one) => ({ value: idOf(one), label: one.titleName ?? modeName(modeOf(idOf(one))) }))} />
        {rule?.ages && <TextField form={form} name="birthDate" label={register.birth} kind="date" />}
        {needsAdult(rule, String(form.values.birthDate)) && <TextField form={form} name="accompaniedBy" label={register.adult} hint={register.adultHint(rule?.ages?.adultBelow ?? 0)} />}
        {rule?.asksAddress && (
          <>
            <PlaceField id={fieldId(form, "place")} label={register.addressText} value={chosen} fault={form.faults.place} onChoose={(found) => { setChosen(found); form.set("place", found.name); }} />
            <TextField form={form} name="street" label={register.addressName} hint={rules.freeTextNote} autocomplete="street-address" maximum={300} />
          </>
        )}
        {asksBilling(rule) && <Section title={register.billing}><BillingFields form={form} /></Section>}
        {rule && rule.details.length > 0 && (
          <Section title={register.work}>
            <DetailFields form={form} details={rule.details} />
          </Section>
        )}
        {terms && <TermsField form={form} terms={terms} />}
      </Form>
    </Screen>
  );
};

/** Another role with the same account, and what the market asks for it. */
export const AddRole: Component<PartProperties> = ({ me }) => {
  const rules = useSignUp();
  if (rules.value) return <RoleForm key={rules.value.market} me={me} rules={rules.value} />;
  return <Screen title={words.addRole} back="me"><Loaded of={rules}>{() => null}</Loaded></Screen>;
};
