import type { Component } from "preact";
import { useEffect, useState } from "preact";
import { ChosenPlace, PlacePicker } from "../../../shared/map/place-picker";
import { useGet } from "../../../shared/resources";
import { place as address } from "../../../shared/router";
import { Button, Row } from "../../../shared/ui";
import { change, lastPlace, useDraft } from "./draft";
import { words } from "./words";

/** The place of the order; the last one, or the first saved one, until another is chosen. */
export function usePlaceOfDraft(): ChosenPlace | undefined {
  const draft = useDraft();
  const { market } = address.get();
  const saved = useGet("/identity/v1/accounts/me/places", draft.place ? null : { market, limit: 50 }, ["places"]);
  useEffect(() => {
    if (draft.place) return;
    const last = lastPlace();
    const first = saved.value?.items.find((one) => one.served);
    if (last) change({ place: last.place, note: last.note });
    else if (first) change({ place: { ...first.coordinates, name: first.name, address: first.address ?? undefined, saved: first.place }, note: first.description ?? "" });
  }, [saved.value, draft.place]);
  return draft.place;
}

/** A row that says where, and changes it. */
export const PlaceRow: Component<{ big?: boolean; title?: string }> = ({ big, title = words.place }) => {
  const { place } = useDraft();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      {big ? <Button icon="pin" onTap={() => setOpen(true)}>{words.choosePlace}</Button>
        : <Row icon="pin" title={title} detail={place ? <bdi>{place.address ?? place.name}</bdi> : words.choosePlace} end={<span class="link">{place ? words.change : ""}</span>} onTap={() => setOpen(true)} />}
      {isOpen && <PlacePicker title={words.where} start={place} onClose={() => setOpen(false)} onChoose={(chosen) => { setOpen(false); change({ place: chosen }); }} />}
    </>
  );
};
