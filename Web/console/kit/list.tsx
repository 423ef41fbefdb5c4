import type { Children } from "preact";
import { useState } from "preact";
import { GetParameters, GetPath } from "../../shared/api/client";
import { useCell } from "../../shared/cell";
import { ItemOf, More, usePages } from "../../shared/pages";
import { to, usePlace } from "../../shared/router";
import { session } from "../../shared/session";
import { Empty, Skeleton } from "../../shared/ui";
import { Failed } from "./page";
import { Filter, FilterBar } from "./filters";
import { words } from "./words";

/** One column: its name and what a row shows in it. */
export interface Column<T> {
  id: string;
  label: string;
  cell: (item: T) => Children;
  /** Numbers and money stand at the end of their column, one under the other. */
  end?: boolean;
  /** Left out where it is narrow. */
  wide?: boolean;
}

interface ListProperties<P extends GetPath> {
  title: string;
  path: P;
  /** What is asked for, without cursor and limit: the market and the filters. `null` asks nothing yet. */
  parameters: GetParameters<P> | null;
  columns: Column<ItemOf<P>>[];
  idOf: (item: ItemOf<P>) => string;
  /** Where a row leads: its first column is the link. */
  hrefOf?: (item: ItemOf<P>) => string;
  /** The id that is open beside the list. */
  open?: string;
  filters?: Filter[];
  values?: Record<string, string | undefined>;
  tags?: string[];
  end?: Children;
  /** Why there is nothing, where nothing was filtered. */
  empty?: string;
  limit?: number;
}

const choiceName = (title: string, account: string | undefined): string => `serai-columns-${title}-${account}`;

/** The columns that somebody wants to see, kept per person on this machine. */
function useColumns<T>(id: string, columns: Column<T>[]): { shown: Column<T>[]; menu: Children } {
  const { account } = useCell(session);
  const name = choiceName(id, account);
  const [hidden, setHidden] = useState<string[]>(() => JSON.parse(localStorage.getItem(name) ?? "[]") as string[]);
  const choose = (column: string, isOn: boolean): void => {
    const next = isOn ? hidden.filter((one) => one !== column) : [...hidden, column];
    localStorage.setItem(name, JSON.stringify(next));
    setHidden(next);
  };
  const menu = (
    <details class="columns">
      <summary class="btn btn-sm btn-light">{words.columns}</summary>
      <div class="columns-list">
        {columns.slice(1).map((column) => (
          <label key={column.id}>
            <input type="checkbox" checked={!hidden.includes(column.id)} onChange={(event) => choose(column.id, (event.target as HTMLInputElement).checked)} /> {column.label}
          </label>
        ))}
      </div>
    </details>
  );
  return { shown: columns.filter((column, index) => index === 0 || !hidden.includes(column.id)), menu };
}

/** A list of things with its filters: read page by page, moved in by keys, opened by a row's link. */
export function List<P extends GetPath>(properties: ListProperties<P>): JSX.Element {
  const { title, path, columns, idOf, hrefOf, open, filters = [], values = {}, tags = [], end, empty, limit = 50 } = properties;
  const parameters = properties.parameters && ({ ...properties.parameters, limit } as GetParameters<P>);
  const pages = usePages(path, parameters, tags, idOf);
  const { query } = usePlace();
  const { shown, menu } = useColumns(String(path), columns);
  const { items } = pages;
  const search = query.toString() ? `?${query.toString()}` : "";
  const isFiltered = Object.values(values).some(Boolean);

  return (
    <div class="list-page">
      <FilterBar filters={filters} values={values}>{menu}{end}</FilterBar>
      {!parameters
        ? <Empty icon="search" title={empty ?? words.nothing} />
        : !items
        ? pages.first.error ? <Failed of={pages.first} /> : <Skeleton rows={8} kind="text" />
        : items.length === 0
          ? <Empty icon="search" title={isFiltered ? words.nothingFound : empty ?? words.nothing} />
          : (
            <>
              <div class="table-scroll" role="region" aria-label={words.list(title)} tabIndex={0} data-rows>
                <table class="table table-hover">
                  <thead><tr>{shown.map((column) => <th key={column.id} scope="col" class={look(column)}>{column.label}</th>)}</tr></thead>
                  <tbody>
                    {items.map((item) => {
                      const id = idOf(item);
                      const href = hrefOf && to(hrefOf(item)) + search;
                      return (
                        <tr key={id} class={id === open ? "table-active" : undefined} onClick={href ? openRow : undefined}>
                          {shown.map((column, index) => (
                            <td key={column.id} class={look(column)}>
                              {index === 0 && href
                                ? <a href={href} data-row data-stays aria-current={id === open ? "true" : undefined}>{column.cell(item)}</a>
                                : column.cell(item)}
                            </td>
                          ))}
                        </tr>
                      );
                    })}
                  </tbody>
                </table>
              </div>
              <div class="list-foot"><span class="muted">{words.rows(items.length, pages.hasMore)}</span><More of={pages} /></div>
            </>
          )}
    </div>
  );
}

const look = (column: { end?: boolean; wide?: boolean }): string | undefined =>
  [column.end && "end", column.wide && "wide"].filter(Boolean).join(" ") || undefined;

/** A click anywhere on a row is one on its link, but for other links and buttons in it, and for text that is being marked. */
function openRow(event: MouseEvent): void {
  const target = event.target as Element;
  if (target.closest("a, button, input, label, summary") || getSelection()?.toString()) return;
  (event.currentTarget as Element).querySelector<HTMLElement>("[data-row]")?.click();
}

/** A table of what is known already, such as figures by day. */
export function Table<T>({ label, columns, items, idOf }: { label: string; columns: Column<T>[]; items: T[]; idOf: (item: T) => string }): JSX.Element {
  return (
    <div class="table-scroll" role="region" aria-label={label} tabIndex={0}>
      <table class="table">
        <thead><tr>{columns.map((column) => <th key={column.id} scope="col" class={look(column)}>{column.label}</th>)}</tr></thead>
        <tbody>{items.map((item) => <tr key={idOf(item)}>{columns.map((column) => <td key={column.id} class={look(column)}>{column.cell(item)}</td>)}</tr>)}</tbody>
      </table>
    </div>
  );
}

