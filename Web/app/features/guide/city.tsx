import type { Component } from "preact";
import { Cell, useCell } from "../../../shared/cell";
import { useGet } from "../../../shared/resources";
import { Icon } from "../../../shared/ui";
import { words } from "./words";

const kept = "serai-city";
const city = new Cell<string>(localStorage.getItem(kept) ?? "makkah");

/** The city of the guide, as it was chosen on this phone; Makkah at first. */
export const useCity = (): string => useCell(city);

export const useCities = () => useGet("/admin/v1/guide/cities", {});

export const Choice: Component<{ label: string; value: string; options: { id: string; name: string }[]; onChoose: (id: string) => void }> = (
  { label, value, options, onChoose },
) => (
  <div class="input select">
    <select aria-label={label} value={value} onChange={(event) => onChoose((event.target as HTMLSelectElement).value)}>
      {options.map((one) => <option key={one.id} value={one.id}>{one.name}</option>)}
    </select>
    <Icon name="chevron-down" />
  </div>
);

export const CityChoice: Component = () => {
  const options = useCities().value?.items ?? [];
  const choose = (id: string): void => {
    localStorage.setItem(kept, id);
    city.set(id);
  };
  return options.length === 0 ? null : <Choice label={words.city} value={useCity()} options={options} onChoose={choose} />;
};
