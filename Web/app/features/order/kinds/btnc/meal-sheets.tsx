import type { Component } from "preact";
import { api } from "../../../../../shared/api/client";
import { ChoiceField, Form, Submit, TextField, useForm } from "../../../../../shared/forms";
import { duration } from "../../../../../shared/format";
import { invalidate } from "../../../../../shared/resources";
import { Sheet } from "../../../../../shared/ui";
import type { View } from "../../view";
import { words } from "./meal-words";

interface Properties {
  view: View;
  onClose: () => void;
}
const minutesOf = (text: string): number | undefined => {
  const minutes = /^\d{1,3}$/.test(text.trim()) ? Number(text) : 0;
  return minutes >= 1 && minutes <= 240 ? minutes : undefined;
};

/** The restaurant takes an order and says when it is ready. */
export const AcceptMeal: Component<Properties> = ({ view, onClose }) => {
  const id = view.order.order;
  const usual = view.order.food?.preparationMinutes ?? 20;
  const form = useForm({
    initial: { minutes: String(usual) },
    check: (values) => ({ minutes: minutesOf(values.minutes) === undefined && words.badMinutes }),
    send: (values, key) => api.post("/dispatch/v1/orders/{id}/accept", { id }, { minutes: minutesOf(values.minutes) }, { key }),
    done: () => { invalidate(`order:${id}`, "orders"); onClose(); },
    refused: (problem) => { if (problem.status === 409) invalidate(`order:${id}`, "orders"); },
  });
  const near = [...new Set([Math.max(5, usual - 10), usual, usual + 10, usual + 20])];
  const chosen = minutesOf(form.values.minutes);
  return (
    <Sheet title={words.newOrder(view.order.customer.name)} onClose={onClose}>
      <Form form={form}>
        <TextField form={form} name="minutes" kind="digits" label={words.minutes} hint={words.minutesHint} maximum={3} />
        <div class="choices in-row">
          {near.map((minutes) => (
            <label key={minutes} class="choice"><input type="radio" name="near" checked={chosen === minutes} onChange={() => form.set("minutes", String(minutes))} />
              <span class="row-text">{duration(minutes * 60)}</span></label>
          ))}
        </div>
        <Submit form={form}>{chosen ? words.acceptFor(duration(chosen * 60)) : words.accept}</Submit>
      </Form>
    </Sheet>
  );
};

/** The restaurant cannot cook it, and says why. */
export const RefuseMeal: Component<Properties> = ({ view, onClose }) => {
  const id = view.order.order;
  const reasons = { soldOut: words.whySoldOut, busy: words.whyBusy, closing: words.whyClosing, other: words.whyOther };
  const form = useForm({
    initial: { why: "", text: "" },
    needed: ["why"],
    check: (values) => ({ text: values.why === "other" && !values.text.trim() && words.ownWords }),
    send: (values, key) => api.post("/dispatch/v1/orders/{id}/decline", { id },
      { reason: values.why === "other" ? values.text.trim() : reasons[values.why as keyof typeof reasons] }, { key }),
    done: () => { invalidate(`order:${id}`, "orders"); onClose(); },
    pointers: { "/reason": "text" },
  });
  return (
    <Sheet title={words.refuseTitle} onClose={onClose}>
      <Form form={form}>
        <ChoiceField form={form} name="why" label={words.why} hint={words.refuseHint} options={Object.entries(reasons).map(([value, label]) => ({ value, label }))} />
        {form.values.why === "other" && <TextField form={form} name="text" label={words.ownWords} maximum={300} />}
        <Submit form={form} kind="danger">{words.refuse}</Submit>
      </Form>
    </Sheet>
  );
};
