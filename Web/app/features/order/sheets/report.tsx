import type { Component } from "preact";
import { api } from "../../../../shared/api/client";
import { ChoiceField, Form, LongTextField, Submit, useForm } from "../../../../shared/forms";
import { invalidate } from "../../../../shared/resources";
import { Note, Sheet, toast } from "../../../../shared/ui";
import { Support } from "../../../support";
import type { State, View } from "../view";
import { words } from "../words";

const ended: State[] = ["completed", "cancelled", "refused", "expired"];

/** Tells the market's admins that something is wrong; the order goes on, or stops until they have decided. */
export const Report: Component<{ view: View; onClose: () => void }> = ({ view, onClose }) => {
  const id = view.order.order;
  const reasons = (view.market?.reportReasons ?? []).filter((reason) => reason.parties.includes(view.side));
  const canStop = !ended.includes(view.order.state) && view.order.state !== "disputed";
  const form = useForm({
    initial: { reason: "", note: "", effect: canStop ? "" : "goes-on" },
    needed: ["reason", "effect"],
    check: (values) => ({ note: values.reason === "other" && !values.note.trim() && words.reportOwn }),
    send: (values, key) => api.post("/dispatch/v1/orders/{id}/reports", { id },
      { reason: values.reason, note: values.note.trim() || undefined, cancels: values.effect === "stops" }, { key }),
    done: () => {
      invalidate(`order:${id}`, `reports:${id}`, "orders");
      toast(words.reportSent);
      onClose();
    },
    keep: { name: `report-${id}` },
  });
  return (
    <Sheet title={words.report} onClose={onClose}>
      <Form form={form}>
        <ChoiceField form={form} name="reason" label={words.reportReason} options={reasons.map((reason) => ({ value: reason.id, label: reason.text }))} />
        <LongTextField form={form} name="note" label={words.reportNote} hint={view.market?.freeTextNote} optional={form.values.reason !== "other"} maximum={1000} />
        {canStop && (
          <ChoiceField form={form} name="effect" label={words.reportEffect} inRow
            options={[{ value: "goes-on", label: words.reportGoesOn }, { value: "stops", label: words.reportStops }]} />
        )}
        {form.values.effect === "stops" && view.market?.reportNote && <Note tone="warning">{view.market.reportNote}</Note>}
        <Submit form={form}>{words.reportSend}</Submit>
      </Form>
      <Support />
    </Sheet>
  );
};
