import type { Component } from "preact";
import { api } from "../../../../shared/api/client";
import { ChoiceField, Form, Submit, TextField, useForm } from "../../../../shared/forms";
import { invalidate } from "../../../../shared/resources";
import { Sheet } from "../../../../shared/ui";
import { catalogue } from "../../../../shared/words";
import type { View } from "../view";

const words = catalogue({
  title: { en: "Accept the request", ar: "قبول الطلب" },
  who: { en: "Does somebody come with you?", ar: "هل يرافقك أحد؟" },
  alone: { en: "No, alone", ar: "لا، بمفردي" },
  with: { en: "Yes", ar: "نعم" },
  name: { en: "Companion's full name", ar: "الاسم الكامل للمرافق" },
  accept: { en: "Accept", ar: "قبول" },
});

export const acceptWords = words;

/** Takes an order, alone or with a companion who is named. */
export const Accept: Component<{ view: View; onClose: () => void }> = ({ view, onClose }) => {
  const id = view.order.order;
  const form = useForm({
    initial: { with: "alone", companion: "" },
    check: (values) => ({ companion: values.with === "with" && values.companion.trim().split(/\s+/).length < 2 && words.name }),
    send: (values, key) => api.post("/dispatch/v1/orders/{id}/accept", { id },
      { version: view.order.version, companion: values.with === "with" ? values.companion.trim() : undefined }, { key }),
    done: () => {
      invalidate(`order:${id}`, "orders");
      onClose();
    },
    refused: (problem) => { if (problem.status === 409) invalidate(`order:${id}`, "orders"); },
  });
  return (
    <Sheet title={words.title} onClose={onClose}>
      <Form form={form}>
        <ChoiceField form={form} name="with" label={words.who} inRow options={[{ value: "alone", label: words.alone }, { value: "with", label: words.with }]} />
        {form.values.with === "with" && <TextField form={form} name="companion" label={words.name} maximum={100} autocomplete="off" />}
        <Submit form={form}>{words.accept}</Submit>
      </Form>
    </Sheet>
  );
};
