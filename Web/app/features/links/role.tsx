import type { Component } from "preact";
import { useState } from "preact";
import { api } from "../../../shared/api/client";
import { fieldId, Form, Submit, TextField, useForm } from "../../../shared/forms";
import { ChosenPlace, PlaceField } from "../../../shared/map/place-picker";
import { renewRoles, session } from "../../../shared/session";
import { Loaded, Screen, Section } from "../../../shared/ui";
import { Detail, SignUp, useSignUp } from "../../signup";
import { BillingFields, billingBody, emptyBilling } from "../register/billing";
import { addressBody, DetailFields, detailsBody, emptyDetails } from "../register/details";
import { TermsField } from "../register/terms";
import { words as register } from "../register/words";
import { Outcome } from "./outcome";
import { takeToken } from "./token";
import { words } from "./words";

/** Each once, though several roles ask for it. */
const detailsOf = (rules: SignUp): Detail[] => {
  const all = rules.roles.flatMap((rule) => rule.details);
  return all.filter((detail, index) => all.findIndex((other) => other.id === detail.id) === index);
};

/**
 * A role that an admin offers to somebody who has an account. The link does not say which role it is: what is asked for it, the
 * API's refusal names, and the fields for that appear.
 */
const NewRole: Component = () => {
  const [token] = useState(takeToken);
  const rules = useSignUp();
  if (!token) return <Outcome icon="warning" title={words.refused} text={words.refusedText} />;
  if (rules.value) return <RoleForm rules={rules.value} token={token} />;
  return <Screen title={words.role} plain><Loaded of={rules}>{() => null}</Loaded></Screen>;
};

const RoleForm: Component<{ rules: SignUp; token: string }> = ({ rules, token }) => {
  const [isDone, setDone] = useState(false);
  const [asked, setAsked] = useState<string[]>([]);
  const [chosen, setChosen] = useState<ChosenPlace | undefined>(undefined);
  const { terms, roles } = rules;
  const asks = (field: string): boolean => asked.some((one) => one === field || one.startsWith(`${field}/`));
  const details = detailsOf(rules).filter((detail) => asks(`/details/${detail.id}`));
  const form = useForm<Record<string, string | boolean> & { terms: boolean }, unknown>({
    initial: { terms: false, birthDate: "", accompaniedBy: "", place: "", street: "", ...emptyBilling(rules.market), ...emptyDetails(detailsOf(rules)) },
    needed: terms ? ["terms"] : [],
    send: (values, key) => api.post("/identity/v1/role-offers/finish", {}, {
      token, terms: terms?.version, birthDate: String(values.birthDate) || undefined, accompaniedBy: String(values.accompaniedBy).trim() || undefined,
      address: asks("/address") ? addressBody(String(values.street), chosen) : undefined, details: detailsBody(details, values),
      billingAddress: asks("/billingAddress") ? billingBody(values) : undefined,
    }, { key, anonymous: true }),
    pointers: { "/address": "place", "/address/coordinates": "place", "/address/name": "street" },
    refused: (problem) => setAsked((old) => [...new Set([...old, ...problem.errors.map((error) => error.field)])]),
    done: () => {
      if (session.get().state === "in") void renewRoles();
      setDone(true);
    },
  });
  if (isDone) return <Outcome icon="check" title={words.roleTaken} isDone />;
  form.label("place", register.addressText);
  return (
    <Screen title={words.role} plain>
      <p>{words.roleText}</p>
      <Form form={form}>
        {asks("/birthDate") && <TextField form={form} name="birthDate" label={register.birth} kind="date" autocomplete="bday" />}
        {asks("/accompaniedBy") && (
          <TextField form={form} name="accompaniedBy" label={register.adult} hint={register.adultHint(roles.find((rule) => rule.ages?.adultBelow)?.ages?.adultBelow ?? 0)} />
        )}
        {asks("/address") && (
          <>
            <PlaceField id={fieldId(form, "place")} label={register.addressText} value={chosen} fault={form.faults.place} onChoose={(found) => { setChosen(found); form.set("place", found.name); }} />
            <TextField form={form} name="street" label={register.addressName} autocomplete="street-address" maximum={300} />
          </>
        )}
        {asks("/billingAddress") && <Section title={register.billing}><BillingFields form={form} /></Section>}
        {details.length > 0 && <Section title={register.work}><DetailFields form={form} details={details} /></Section>}
        {terms && <TermsField form={form} terms={terms} />}
        <Submit form={form}>{words.accept}</Submit>
      </Form>
    </Screen>
  );
};

export default NewRole;
