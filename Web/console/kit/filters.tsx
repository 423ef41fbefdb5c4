import type { Component } from "preact";
import { useEffect, useState } from "preact";
import { Cell, useCell } from "../../shared/cell";
import { useMarket } from "../../shared/market";
import { go, place, usePlace } from "../../shared/router";
import { momentOf } from "../../shared/zone";
import { words } from "./words";

/** A filter of a list. Its value lives in the address under its name, so that a link shows a colleague the same. */
export interface Filter {
  name: string;
  label: string;
  kind: "choice" | "text" | "day";
  options?: { value: string; label: string }[];
  placeholder?: string;
  /** How somebody is reached: it stays in this page's memory, for addresses stand in the browser's history and are sent on. */
  isPrivate?: boolean;
}

/** The values of private filters, by name. */
const unwritten = new Cell<Record<string, string>>({});
export function setPrivateFilter(name: string, value: string): void {
  const { [name]: _, ...rest } = unwritten.get();
  unwritten.set(value.trim() ? { ...rest, [name]: value.trim() } : rest);
}

/** What the address says of the filters, and the memory of private ones; absent ones are undefined. */
export function useFilters(filters: Filter[]): Record<string, string | undefined> {
  const { query } = usePlace();
  const known = useCell(unwritten);
  return Object.fromEntries(filters.map((filter) => [filter.name, (filter.isPrivate ? known[filter.name] : query.get(filter.name)?.trim()) || undefined]));
}

/** Writes one filter into the address. What was open beside the list stays open. */
export function setFilter(name: string, value: string): void {
  const query = new URLSearchParams(place.get().query);
  if (value.trim()) query.set(name, value.trim());
  else query.delete(name);
  const text = query.toString();
  go(place.get().path + (text ? `?${text}` : ""), { replace: true, stays: true });
}

/** Typed text becomes the filter when one pauses, not with each letter. */
const TextFilter: Component<{ filter: Filter; value: string }> = ({ filter, value }) => {
  const [text, setText] = useState(value);
  useEffect(() => setText(value), [value]);
  useEffect(() => {
    if (text.trim() === value) return undefined;
    const timer = setTimeout(() => setFilter(filter.name, text), 400);
    return () => clearTimeout(timer);
  }, [text]);
  return (
    <input id={`filter-${filter.name}`} class="form-control" type="search" dir="auto" value={text} placeholder={filter.placeholder} maxLength={100}
      onInput={(event) => setText((event.target as HTMLInputElement).value)} />
  );
};

/** What is private is asked for when it is typed whole: each search is an entry of the audit log. */
const PrivateFilter: Component<{ filter: Filter; value: string }> = ({ filter, value }) => (
  <input id={`filter-${filter.name}`} class="form-control" type="search" dir="auto" autocomplete="off" value={value} placeholder={filter.placeholder} maxLength={254}
    onChange={(event) => setPrivateFilter(filter.name, (event.target as HTMLInputElement).value)} />
);

export const FilterBar: Component<{ filters: Filter[]; values: Record<string, string | undefined> }> = ({ filters, values, children }) => {
  const isAny = Object.values(values).some(Boolean);
  const clear = (): void => {
    for (const filter of filters) if (filter.isPrivate) setPrivateFilter(filter.name, "");
    go(place.get().path, { replace: true, stays: true });
  };
  return (
    <div class="filters" role="group" aria-label={words.filters}>
      {filters.map((filter) => (
        <div key={filter.name} class="filter">
          <label for={`filter-${filter.name}`}>{filter.label}</label>
          {filter.kind === "choice" ? (
            <select id={`filter-${filter.name}`} class="form-select" value={values[filter.name] ?? ""} onChange={(event) => setFilter(filter.name, (event.target as HTMLSelectElement).value)}>
              <option value="">{filter.placeholder ?? words.all}</option>
              {filter.options?.map((option) => <option key={option.value} value={option.value}>{option.label}</option>)}
            </select>
          ) : filter.kind === "day" ? (
            <input id={`filter-${filter.name}`} class="form-control" type="date" value={values[filter.name] ?? ""} onChange={(event) => setFilter(filter.name, (event.target as HTMLInputElement).value)} />
          ) : filter.isPrivate ? (
            <PrivateFilter filter={filter} value={values[filter.name] ?? ""} />
          ) : <TextFilter filter={filter} value={values[filter.name] ?? ""} />}
        </div>
      ))}
      {isAny && <button type="button" class="btn btn-sm btn-link" onClick={clear}>{words.clear}</button>}
      <span class="filters-end">{children}</span>
    </div>
  );
};

/** The two filters of a range of days. */
export const dayFilters = (): Filter[] => [{ name: "from", label: words.from, kind: "day" }, { name: "to", label: words.to, kind: "day" }];

const nextDay = (day: string): string => new Date(Date.parse(`${day}T00:00:00Z`) + 86_400_000).toISOString().slice(0, 10);
const isDay = (text: string | undefined): text is string => /^\d{4}-\d\d-\d\d$/.test(text ?? "");

/** The range of days, for lists that go by moments: from the first one's beginning to the last one's end, in the market's zone. */
export function useMoments(values: Record<string, string | undefined>): { from?: string; to?: string } {
  const zone = useMarket().market?.timeZone ?? "UTC";
  const begin = (day: string): string => momentOf(day, "00:00", zone).toISOString();
  return { from: isDay(values.from) ? begin(values.from) : undefined, to: isDay(values.to) ? begin(nextDay(values.to)) : undefined };
}

/** A filter with few values, each with its name. */
export const choiceFilter = (name: string, label: string, options: Record<string, string>, placeholder?: string): Filter =>
  ({ name, label, kind: "choice", placeholder, options: Object.entries(options).map(([value, text]) => ({ value, label: text })) });
