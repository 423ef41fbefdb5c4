import type { Component } from "preact";
import { useState } from "preact";
import { distance } from "../../../shared/format";
import { ChoiceField, Form, SelectField, Submit, useForm } from "../../../shared/forms";
import { ChosenPlace, PlaceField } from "../../../shared/map/place-picker";
import { Button, Sheet } from "../../../shared/ui";
import { weight } from "./weight";
import { words } from "./board-words";

type Sort = "newest" | "payment" | "way" | "near";
export interface BoardFilter {
  place?: ChosenPlace;
  radius: string;
  metres: string;
  grams: string;
  fragile: string;
  sort: string;
}
export const noFilter: BoardFilter = { radius: "", metres: "", grams: "", fragile: "", sort: "newest" };

/** What the API is asked. */
export const parametersOf = (filter: BoardFilter) => ({
  radius: filter.radius === "all" ? undefined : Number(filter.radius) || undefined, maximumMetres: Number(filter.metres) || undefined, maximumGrams: Number(filter.grams) || undefined,
  fragile: filter.fragile === "" ? undefined : filter.fragile === "only", sort: filter.sort as Sort,
});

const radii = [1000, 3000, 5000, 10_000];
const ways = [2000, 5000, 10_000, 20_000];
const weights = [1000, 5000, 10_000, 25_000];

export const FilterSheet: Component<{ filter: BoardFilter; most: number; onChoose: (filter: BoardFilter) => void; onClose: () => void }> = (
  { filter, most, onChoose, onClose },
) => {
  const [place, setPlace] = useState(filter.place);
  const form = useForm({
    initial: { radius: filter.radius, metres: filter.metres, grams: filter.grams, fragile: filter.fragile, sort: filter.sort },
    send: async (values) => values,
    done: (values) => onChoose({ ...values, place }),
  });
  return (
    <Sheet title={words.filter} onClose={onClose}>
      <Form form={form} label={words.filter}>
        <PlaceField label={words.place} value={place ?? undefined} onChoose={setPlace} />
        {place && <Button kind="quiet" small icon="locate" onTap={() => setPlace(undefined)}>{words.here}</Button>}
        <SelectField form={form} name="radius" label={words.radius} placeholder={distance(most)}
          options={[...radii.filter((metres) => metres < most).map((metres) => ({ value: String(metres), label: distance(metres) })), { value: "all", label: words.everywhere }]} />
        <SelectField form={form} name="metres" label={words.longest} placeholder={words.any} options={ways.map((metres) => ({ value: String(metres), label: distance(metres) }))} />
        <SelectField form={form} name="grams" label={words.heaviest} placeholder={words.any} options={weights.map((grams) => ({ value: String(grams), label: weight(grams) }))} />
        <SelectField form={form} name="fragile" label={words.care} placeholder={words.withFragile}
          options={[{ value: "no", label: words.noFragile }, { value: "only", label: words.onlyFragile }]} />
        <ChoiceField form={form} name="sort" label={words.sort} inRow options={[
          { value: "newest", label: words.newest }, { value: "payment", label: words.bestPaid }, { value: "way", label: words.shortest }, { value: "near", label: words.nearest }]} />
        <Submit form={form}>{words.show}</Submit>
      </Form>
    </Sheet>
  );
};
