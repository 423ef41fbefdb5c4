import type { Component } from "preact";
import { useRef, useState } from "preact";
import { api } from "../../../shared/api/client";
import { textOf } from "../../../shared/api/problem";
import { latinDigits } from "../../../shared/format";
import { CheckField, ChoiceField, Form, LongTextField, PhotoField, Submit, TextField, useForm } from "../../../shared/forms";
import { Note, Screen } from "../../../shared/ui";
import { keepValue } from "../../../shared/kept";
import { Photo } from "../../../shared/photo";
import type { Draft } from "./draft";
import { weight } from "./weight";
import { words } from "./words";

const usual = [1000, 5000, 10_000, 25_000];
const gramsOf = (values: { weight: string; kilograms: string }): number =>
  values.weight === "other" ? Math.round(Number(latinDigits(values.kilograms).replace(",", ".")) * 1000) || 0 : Number(values.weight);

/** Takes a photo and sends it at once: it is there when the parcel is posted. */
const PhotoPart: Component<{ photo?: string; onSending: (failure: Promise<unknown>) => void; onPhoto: (id: string) => void }> = ({ photo, onSending, onPhoto }) => {
  const [taken, setTaken] = useState<Blob | undefined>(undefined);
  const [state, setState] = useState<{ isBusy: boolean; error?: unknown }>({ isBusy: false });
  const upload = async (blob: Blob): Promise<unknown> => {
    setTaken(blob);
    setState({ isBusy: true });
    try {
      onPhoto((await api.post("/dispatch/v1/photos", {}, blob as never)).photo);
      setState({ isBusy: false });
      return undefined;
    } catch (error) {
      setTaken(undefined);
      setState({ isBusy: false, error });
      return error;
    }
  };
  return (
    <div class="stack tight">
      {photo && !taken && <Photo id={photo} icon="parcel" alt={words.photo} />}
      <PhotoField label={words.photo} hint={photo ? words.photoThere : words.photoHint} value={taken} onChoose={(blob) => onSending(upload(blob))} />
      {state.isBusy && <p class="hint" role="status">{words.photoSending}</p>}
      {state.error !== undefined && <Note tone="warning" live>{textOf(state.error)}</Note>}
    </div>
  );
};

/** The first question: what it is. */
export const What: Component<{ draft: Draft; onNext: (draft: Draft) => void }> = ({ draft, onNext }) => {
  const photo = useRef(draft.photo);
  const sending = useRef<Promise<unknown> | undefined>(undefined);
  const wait = (now: Promise<unknown>): void => {
    sending.current = now;
    void now.then(() => { if (sending.current === now) sending.current = undefined; });
  };
  const isUsual = usual.includes(draft.grams);
  const form = useForm({
    initial: {
      name: draft.name, description: draft.description, fragile: draft.fragile,
      weight: !draft.grams ? "" : isUsual ? String(draft.grams) : "other", kilograms: isUsual || !draft.grams ? "" : String(draft.grams / 1000),
    },
    needed: ["name", "weight"],
    keep: { name: "parcel-what" },
    check: (values) => ({ kilograms: values.weight === "other" && (gramsOf(values) < 1 || gramsOf(values) > 1_000_000) && words.badWeight }),
    // A photo that is under way belongs to it; whoever goes on once more goes on without.
    send: async (values) => {
      const failure = await sending.current;
      if (failure !== undefined) throw failure;
      return values;
    },
    done: (values) => onNext({ ...draft, name: values.name.trim(), description: values.description.trim(), fragile: values.fragile, grams: gramsOf(values), photo: photo.current }),
  });
  return (
    <Screen title={words.what} back="" footer={<Submit form={form}>{words.next}</Submit>}>
      <Form form={form} label={words.what}>
        <TextField form={form} name="name" label={words.name} hint={words.nameHint} maximum={100} />
        <PhotoPart photo={photo.current} onSending={wait}
          onPhoto={(id) => { photo.current = id; keepValue("parcel", { ...draft, photo: id }); }} />
        <ChoiceField form={form} name="weight" label={words.weight} inRow
          options={[...usual.map((grams) => ({ value: String(grams), label: words.upTo(weight(grams)) })), { value: "other", label: words.otherWeight }]} />
        {form.values.weight === "other" && <TextField form={form} name="kilograms" kind="amount" label={words.kilograms} maximum={8} />}
        <CheckField form={form} name="fragile" label={words.fragile} />
        <LongTextField form={form} name="description" label={words.description} hint={words.descriptionHint} maximum={1000} optional />
      </Form>
    </Screen>
  );
};
