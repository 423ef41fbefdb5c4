import type { Component } from "preact";
import { api } from "../../../../shared/api/client";
import { Form, Submit, TextField, useForm } from "../../../../shared/forms";
import { dayAndTime, dayKey } from "../../../../shared/format";
import { invalidate } from "../../../../shared/resources";
import { Sheet, toast } from "../../../../shared/ui";
import { catalogue } from "../../../../shared/words";
import { clockOf, momentOf } from "../../../../shared/zone";
import type { View } from "../view";

const words = catalogue({
  title: { en: "Ask for another time", ar: "طلب موعد آخر" },
  text: { en: (now: string) => `It is set for ${now}. We talk to the customer and set the time`, ar: (now: string) => `الموعد الحالي ${now}. سنتواصل مع العميل ونحدد الموعد` },
  day: { en: "Day", ar: "اليوم" },
  time: { en: "Time", ar: "الوقت" },
  past: { en: "That time has passed. Choose a later one", ar: "هذا الوقت مضى. اختر وقتًا لاحقًا" },
  send: { en: "Ask for this time", ar: "طلب هذا الموعد" },
  sent: { en: "We have asked. You are told when the time is set", ar: "تم إرسال طلبك، وسنبلغك عند تحديد الموعد" },
});

/** A care partner asks the desk for another time. */
export const AskTime: Component<{ view: View; onClose: () => void }> = ({ view, onClose }) => {
  const id = view.order.order;
  const zone = view.market?.timeZone ?? "UTC";
  const set = view.order.scheduledAt ?? view.order.requestedAt;
  const form = useForm({
    initial: { day: dayKey(set), time: clockOf(set, zone) },
    needed: ["day", "time"],
    check: (values) => ({ time: Boolean(values.day && values.time) && momentOf(values.day, values.time, zone).getTime() < Date.now() && words.past }),
    send: (values, key) => api.post("/dispatch/v1/orders/{id}/time", { id }, { time: momentOf(values.day, values.time, zone).toISOString() }, { key }),
    done: () => {
      invalidate(`order:${id}`);
      toast(words.sent);
      onClose();
    },
    pointers: { "/time": "time" },
  });
  return (
    <Sheet title={words.title} onClose={onClose}>
      <p>{words.text(dayAndTime(set))}</p>
      <Form form={form}>
        <TextField form={form} name="day" kind="date" label={words.day} min={dayKey(Date.now())} />
        <TextField form={form} name="time" kind="time" label={words.time} />
        <Submit form={form}>{words.send}</Submit>
      </Form>
    </Sheet>
  );
};
