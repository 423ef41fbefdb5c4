import type { Identity } from "api-types";
import type { Component } from "preact";
import { useState } from "preact";
import { api } from "../../../shared/api/client";
import { Problem, textOf } from "../../../shared/api/problem";
import { CheckField, ChoiceField, Form, LongTextField, Submit, TextField, useForm } from "../../../shared/forms";
import { ChosenPlace, PlaceField } from "../../../shared/map/place-picker";
import { MapView } from "../../../shared/map";
import { useMarket } from "../../../shared/market";
import { invalidate, put, useGet } from "../../../shared/resources";
import { back, go, to, usePlace } from "../../../shared/router";
import { settled } from "../../../shared/session";
import { Button, Empty, Loaded, Note, Screen, toast, undoable } from "../../../shared/ui";
import type { ScreenProperties } from "../../features";
import { leaving } from "./leaving";
import { words } from "./words";

type Label = Identity.PlaceContent["label"];

const PlaceForm: Component<{ place?: Identity.Place }> = ({ place }) => {
  const { market } = usePlace();
  const freeTextNote = useMarket().market?.freeTextNote;
  const [at, setAt] = useState<ChosenPlace | undefined>(place && { ...place.coordinates, name: place.address ?? place.name });
  const form = useForm({
    initial: { at: place ? "yes" : "", label: (place?.label ?? "home") as string, name: place?.name ?? "", address: place?.address ?? "", description: place?.description ?? "", favourite: place?.favourite ?? false },
    needed: ["name"],
    check: (values) => ({ at: !values.at && words.needPlace }),
    pointers: { "/coordinates": "at", "/coordinates/latitude": "at", "/coordinates/longitude": "at" },
    send: async (values, key) => {
      const { latitude, longitude } = at as ChosenPlace;
      const content = {
        label: values.label as Label, name: values.name.trim(), address: values.address.trim() || null, description: values.description.trim() || null,
        coordinates: { latitude, longitude }, favourite: values.favourite,
      };
      return place ? api.put("/identity/v1/accounts/me/places/{place}", { place: place.place }, content)
        : api.post("/identity/v1/accounts/me/places", {}, { ...content, market }, { key });
    },
    done: (saved: Identity.Place) => {
      invalidate("places");
      settled("address");
      toast(words.saved);
      // What its owner should not have written is told at once, where it can be changed.
      if (!saved.warnings?.length) return back("places");
      put("/identity/v1/accounts/me/places/{place}", { place: saved.place }, saved);
      go(`places/${saved.place}`, { replace: true });
    },
  });
  const labels: Record<Label, string> = { home: words.home, work: words.work, other: words.other };
  const choose = (chosen: ChosenPlace): void => {
    setAt(chosen);
    form.set("at", "yes");
    if (!form.values.address) form.set("address", chosen.name);
    if (!form.values.name && form.values.label !== "other") form.set("name", labels[form.values.label as Label]);
  };
  const remove = (): void => {
    const id = (place as Identity.Place).place;
    leaving.add(id);
    const restore = (): void => { leaving.delete(id); invalidate("places"); };
    undoable(words.deleted, () => api.delete("/identity/v1/accounts/me/places/{place}", { place: id, confirm: true }).then(() => invalidate("places"), (error) => {
      restore();
      toast(textOf(error));
    }), restore);
    back("places");
  };
  form.label("at", words.place);
  return (
    <Screen title={place ? words.change : words.add} back="places" footer={<Submit form={form}>{words.save}</Submit>}>
      {place?.warnings?.map((one) => <Note key={one.code} tone="warning" live>{one.text}</Note>)}
      <Form form={form} label={words.title}>
        <PlaceField id={`${form.id}-at`} label={words.place} value={at} fault={form.faults.at} onChoose={choose} />
        {at && <MapView key={`${at.latitude} ${at.longitude}`} centre={at} markers={[{ id: "at", at, label: at.name }]} zoom={16} />}
        <ChoiceField form={form} name="label" label={words.label} inRow options={(["home", "work", "other"] as Label[]).map((label) => ({ value: label, label: labels[label], icon: label === "other" ? "pin" : label }))} />
        <TextField form={form} name="name" label={words.name} hint={words.nameHint} maximum={60} />
        <TextField form={form} name="address" label={words.address} maximum={300} autocomplete="street-address" optional />
        <LongTextField form={form} name="description" label={words.description} hint={freeTextNote ?? words.descriptionHint} maximum={500} optional />
        <CheckField form={form} name="favourite" label={words.favourite} />
      </Form>
      {place && <Button kind="quiet" icon="trash" onTap={remove}>{words.delete}</Button>}
    </Screen>
  );
};

/** A saved place: added, changed, deleted. */
const One: Component<ScreenProperties> = ({ params }) => {
  const isNew = params.place === "add";
  const found = useGet("/identity/v1/accounts/me/places/{place}", isNew ? null : { place: params.place }, ["places"]);
  if (isNew) return <PlaceForm />;
  const place = found.value;
  if (place) return <PlaceForm key={`${place.place} ${place.version}`} place={place} />;
  const isGone = found.error instanceof Problem && found.error.status === 404;
  return (
    <Screen title={words.title} back="places">
      {isGone ? <Empty icon="pin" title={words.gone}><Button href={to("places")}>{words.title}</Button></Empty> : <Loaded of={found}>{() => null}</Loaded>}
    </Screen>
  );
};

export default One;
