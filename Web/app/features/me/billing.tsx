import type { Component } from "preact";
import type { Identity } from "api-types";
import { api } from "../../../shared/api/client";
import { Problem } from "../../../shared/api/problem";
import { Form, Submit, useForm } from "../../../shared/forms";
import { invalidate, useGet } from "../../../shared/resources";
import { back, usePlace } from "../../../shared/router";
import { settled } from "../../../shared/session";
import { Loaded, Note, Screen, toast } from "../../../shared/ui";
import { BillingFields, billingBody, billingPointers, emptyBilling, wrongBilling } from "../register/billing";
import type { PartProperties } from "./index";
import { words } from "./words";

const BillingForm: Component<{ market: string; known?: Identity.BillingAddress }> = ({ market, known }) => {
  const form = useForm<Record<string, string>, unknown>({
    initial: emptyBilling(market, known),
    check: wrongBilling,
    pointers: billingPointers,
    send: (values) => api.put("/identity/v1/accounts/me/markets/{market}/billing-address", { market }, billingBody(values)),
    done: () => {
      invalidate("billing");
      settled("billing-address");
      toast(words.saved);
      back("me/profile");
    },
  });
  return (
    <Screen title={words.billing} back="me/profile" footer={<Submit form={form}>{words.save}</Submit>}>
      <Form form={form} label={words.billing}><BillingFields form={form} /></Form>
      <Note icon="shield">{words.billingPrivate}</Note>
    </Screen>
  );
};

/** Where the account's bills of the market go. */
export const Billing: Component<PartProperties> = () => {
  const { market } = usePlace();
  const found = useGet("/identity/v1/accounts/me/markets/{market}/billing-address", { market }, ["billing"]);
  const isNone = found.error instanceof Problem && found.error.status === 404;
  if (found.value || isNone) return <BillingForm key={market} market={market} known={found.value} />;
  return <Screen title={words.billing} back="me/profile"><Loaded of={found}>{() => null}</Loaded></Screen>;
};
