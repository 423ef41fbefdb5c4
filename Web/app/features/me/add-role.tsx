import type { Component } from "preact";
import { useState } from "preact";
import { api } from "../../../shared/api/client";
import { ChoiceField, fieldId, Form, Submit, TextField, useForm } from "../../../shared/forms";
import { ChosenPlace, PlaceField } from "../../../shared/map/place-picker";
import { chooseMode, modesIn } from "../../../shared/market";
import { go, to } from "../../../shared/router";
import { renewRoles, session } from "../../../shared/session";
import { Button, Loaded, Screen, Section, toast, uiWords } from "../../../shared/ui";
import { modeName } from "../../roles";
import { idOf, openRoles, SignUp, useSignUp } from "../../signup";
import { addressBody, DetailFields, detailsBody, emptyDetails, wrongDetails } from "../register/details";
import { needsAdult } from "../register/index";
import { TermsField } from "../register/terms";
import { words as register } from "../register/words";
import type { PartProperties } from "./index";
import { words } from "./words";

type Kind = "driver" | "restaurant" | "provider" | "customer";
const modeOf = (id: string): Kind => (id === "driver" || id === "restaurant" || id === "customer" ? id : "provider");

type Fields = Record<string, string | boolean> & { terms: boolean };

const RoleForm: Component<PartProperties & { rules: SignUp }> = ({ me, rules }) => {
  const { market } = rules;
  const has = modesIn(market, session.get().roles) as string[];
  const missing = openRoles(rules).filter((rule) => !has.includes(modeOf(idOf(rule))));
  const isAccepted = me.value?.terms.some((one) => one.market === market && one.version === rules.terms?.version) ?? false;
  const terms = isAccepted ? undefined : rules.terms;
  /** Where a contact is confirmed, which this market asks for first. */
  const [proof, setProof] = useState<string | undefined>(undefined);
  const [chosen, setChosen] = useState<ChosenPlace | undefined>(undefined);
  const ruleOf = (kind: unknown) => missing.find((one) => idOf(one) === kind);
  const form = useForm<Fields, unknown>({
    initial: { kind: missing[0] ? idOf(missing[0]) : "", birthDate: me.value?.birthDate ?? "", accompaniedBy: "", place: "", street: "", terms: false, ...emptyDetails(missing.flatMap((rule) => rule.details)) },
    check: (values) => {
      const rule = ruleOf(values.kind);
      const faults: Record<string, string | false> = wrongDetails(rule?.details ?? [], values);
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
      }, { key });
    },
    refused: (problem) => setProof(problem.slug === "email-unproved" ? "me/email" : problem.slug === "mobile-unproved" ? "me/mobile" : undefined),
    pointers: { "/address": "place", "/address/coordinates": "place", "/address/name": "street" },
    done: async (_, values) => {
      await renewRoles().catch(() => undefined);
      chooseMode(market, modeOf(String(values.kind)));
      toast(words.saved);
      go(ruleOf(values.kind)?.papers.length ? "papers/" : "", { replace: true });
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
            <TextField form={form} name="street" label={register.addressName} autocomplete="street-address" maximum={300} />
          </>
        )}
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
