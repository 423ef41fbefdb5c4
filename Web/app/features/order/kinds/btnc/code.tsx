import type { Component } from "preact";
import { api } from "../../../../../shared/api/client";
import { CodeField, Form, Submit, useForm } from "../../../../../shared/forms";
import { invalidate } from "../../../../../shared/resources";
import { Sheet } from "../../../../../shared/ui";
import { catalogue } from "../../../../../shared/words";
import type { View } from "../../view";

const words = catalogue({
  ride: { en: "Ask for the start code", ar: "اطلب رمز البدء" },
  rideHint: { en: "Your rider sees four digits", ar: "تظهر للراكب أربعة أرقام" },
  meal: { en: "Ask the driver for the code", ar: "اطلب الرمز من السائق" },
  mealHint: { en: "The driver sees four digits. Hand over the meal only if they are right", ar: "تظهر للسائق أربعة أرقام. لا تسلّم الوجبة إلا إذا كانت صحيحة" },
  code: { en: "Code", ar: "الرمز" },
  wrong: { en: "The code has four digits", ar: "يتكون الرمز من أربعة أرقام" },
  start: { en: "Start the ride", ar: "بدء المشوار" },
  handOver: { en: "Hand over", ar: "تسليم" },
});

/** The code that one person tells another: a ride begins, or a meal is handed over. */
export const StartWithCode: Component<{ view: View; onClose: () => void }> = ({ view, onClose }) => {
  const id = view.order.order;
  const isMeal = view.side === "merchant";
  const form = useForm({
    initial: { code: "" },
    check: (values) => ({ code: values.code.length !== 4 && words.wrong }),
    send: (values, key) => api.post("/dispatch/v1/orders/{id}/start", { id }, { code: values.code }, { key }),
    done: () => { invalidate(`order:${id}`, "orders"); onClose(); },
    refused: (problem) => { if (problem.slug === "order-state") invalidate(`order:${id}`, "orders"); },
  });
  return (
    <Sheet title={isMeal ? words.meal : words.ride} onClose={onClose}>
      <Form form={form}>
        <CodeField form={form} name="code" label={words.code} hint={isMeal ? words.mealHint : words.rideHint} length={4} />
        <Submit form={form}>{isMeal ? words.handOver : words.start}</Submit>
      </Form>
    </Sheet>
  );
};
