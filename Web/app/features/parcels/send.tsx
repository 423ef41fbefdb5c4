import type { Component } from "preact";
import { useEffect, useState } from "preact";
import { metresBetween } from "../../../shared/device/position";
import { distance } from "../../../shared/format";
import { Form, Submit, TextField, useForm } from "../../../shared/forms";
import { ChosenPlace, PlaceField } from "../../../shared/map/place-picker";
import { useMarket } from "../../../shared/market";
import { go } from "../../../shared/router";
import { Screen, Skeleton } from "../../../shared/ui";
import type { ScreenProperties } from "../../features";
import { Draft, useDraft } from "./draft";
import { lazy } from "../../../shared/lazy";
import { What } from "./what";
import { words } from "./words";

const Price = lazy(() => import("./price"));

const Where: Component<{ draft: Draft; onKeep: (draft: Draft) => void; onNext: (draft: Draft) => void }> = ({ draft, onKeep, onNext }) => {
  const [from, setFrom] = useState(draft.from);
  const [goal, setGoal] = useState(draft.to);
  const form = useForm({
    initial: { from: draft.from ? "yes" : "", to: draft.to ? "yes" : "", fromNote: draft.fromNote, toNote: draft.toNote },
    check: (values) => ({ from: !values.from && words.needFrom, to: !values.to && words.needTo }),
    keep: { name: "parcel-where", secret: ["from", "to"] },
    send: async (values) => values,
    done: (values) => onNext({ ...draft, from, to: goal, fromNote: values.fromNote.trim(), toNote: values.toNote.trim() }),
  });
  const choose = (which: "from" | "to") => (place: ChosenPlace): void => {
    (which === "from" ? setFrom : setGoal)(place);
    form.set(which, "yes");
    onKeep({ ...draft, from: which === "from" ? place : from, to: which === "to" ? place : goal });
  };
  form.label("from", words.from);
  form.label("to", words.to);
  return (
    <Screen title={words.where} back="send" footer={<Submit form={form}>{words.next}</Submit>}>
      <Form form={form} label={words.where}>
        <PlaceField id={`${form.id}-from`} label={words.from} value={from} fault={form.faults.from} onChoose={choose("from")} />
        <TextField form={form} name="fromNote" label={words.fromNote} hint={words.noteHint} maximum={500} optional />
        <PlaceField id={`${form.id}-to`} label={words.to} value={goal} fault={form.faults.to} onChoose={choose("to")} />
        <TextField form={form} name="toNote" label={words.toNote} maximum={500} optional />
        {from && goal && <p class="muted" role="status">{words.apart(distance(metresBetween(from, goal)))}</p>}
      </Form>
    </Screen>
  );
};

/** A parcel is posted in three questions: what, from where to where, and for how much. The step stands in the address. */
const Send: Component<ScreenProperties> = ({ query }) => {
  const { market } = useMarket();
  const [draft, keep] = useDraft();
  const step = query.get("step") ?? "what";
  const isReady = draft.name !== "" && draft.grams > 0 && draft.from && draft.to;
  useEffect(() => {
    if (step === "price" && !isReady) go("send", { replace: true });
  }, []);
  if (step === "where") return <Where draft={draft} onKeep={keep} onNext={(next) => { keep(next); go("send?step=price"); }} />;
  if (step === "price" && isReady) {
    if (!market) return <Screen title={words.price} back="send"><Skeleton kind="card" /></Screen>;
    return <Price draft={draft} market={market} onDone={(path) => { keep(undefined); go(path, { replace: true }); }} />;
  }
  return <What draft={draft} onNext={(next) => { keep(next); go("send?step=where"); }} />;
};

export default Send;
