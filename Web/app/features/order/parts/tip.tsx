import type { Component } from "preact";
import type { Wallet } from "api-types";
import { api } from "../../../../shared/api/client";
import { ChoiceField, Form, Submit, TextField, useForm } from "../../../../shared/forms";
import { minorUnits, money } from "../../../../shared/format";
import { invalidate } from "../../../../shared/resources";
import { Card, Section, toast } from "../../../../shared/ui";
import type { View } from "../view";
import { words } from "../words";

const usual = [500, 1000, 2000];

/** A tip for the provider of a completed order, once, from the wallet. */
export const TipPart: Component<{ view: View; payment?: Wallet.Payment }> = ({ view, payment }) => {
  const { order, name } = view;
  const currency = order.total.currency;
  const amountOf = (values: { choice: string; other: string }): number | undefined =>
    values.choice === "other" ? minorUnits(values.other, currency) : Number(values.choice) || undefined;
  const form = useForm({
    initial: { choice: "", other: "" },
    check: (values) => ({
      choice: !values.choice && words.tipBad,
      other: values.choice === "other" && !((amountOf(values) ?? 0) >= 100 && (amountOf(values) ?? 0) <= 100_000) && words.tipBad,
    }),
    send: (values, key) => api.post("/wallet/v1/orders/{order}/tip", { order: order.order }, { amount: amountOf(values) as number }, { key }),
    done: () => {
      invalidate(`payment:${order.order}`, "wallet");
      toast(words.tipGiven);
    },
    pointers: { "/amount": "other" },
  });
  if (view.side !== "customer" || view.isOnlySeen || order.state !== "completed" || !order.provider || payment?.state !== "captured" || payment.tip) return null;
  const chosen = amountOf(form.values);
  return (
    <Section title={words.tip}>
      <Card>
        <Form form={form}>
          <ChoiceField form={form} name="choice" label={words.tipText(name)} inRow
            options={[...usual.map((amount) => ({ value: String(amount), label: money({ amount, currency }) })), { value: "other", label: words.tipOther }]} />
          {form.values.choice === "other" && <TextField form={form} name="other" kind="amount" label={words.tipOther} />}
          {form.values.choice && <Submit form={form}>{chosen ? words.tipGive(money({ amount: chosen, currency })) : words.tip}</Submit>}
        </Form>
      </Card>
    </Section>
  );
};
