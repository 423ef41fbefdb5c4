import { useEffect, useRef, useState } from "preact";
import { Answer, api, GetParameters, GetPath, Optional } from "./api/client";
import { textOf } from "./api/problem";
import { useGet } from "./resources";
import { Button, Note } from "./ui";
import { catalogue } from "./words";

const words = catalogue({ more: { en: "Show more", ar: "عرض المزيد" } });

type Item<P extends GetPath> = Answer<"get", P> extends { items?: (infer T)[] } ? T : never;
type Page<P extends GetPath> = { items: Item<P>[]; next?: string };
/** What a list with a cursor is made of. */
export type ItemOf<P extends GetPath> = Item<P>;

/**
 * A list that comes in pages. The first one is kept up to date, and with it those that were asked for after it, since what is new moves
 * all others on. `idOf` tells one thing from another.
 */
export function usePages<P extends GetPath>(path: P, parameters: GetParameters<P> | null, tags: string[], idOf: (item: Item<P>) => string) {
  const first = useGet(path, parameters, tags);
  const [rest, setRest] = useState<Page<P> & { pages: number } | undefined>(undefined);
  const [state, setState] = useState<{ isBusy: boolean; error?: unknown }>({ isBusy: false });
  const turn = useRef(0);
  const page = first.value as Page<P> | undefined;
  const question = JSON.stringify(parameters);

  const read = (cursor: string): Promise<Page<P>> =>
    api.get(path, ...([{ ...parameters, cursor }] as unknown as Optional<GetParameters<P>>)) as unknown as Promise<Page<P>>;

  /** Reads so many pages after the first, or adds to those that are here. */
  const fill = async (pages: number, after: Page<P>, known: Item<P>[]): Promise<void> => {
    const own = ++turn.current;
    let [found, next] = [known, after.next];
    for (let count = 0; count < pages && next !== undefined; count++) {
      const more: Page<P> = await read(next);
      [found, next] = [[...found, ...(more.items ?? [])], more.next];
    }
    if (own === turn.current) setRest((old) => ({ items: found, next, pages: known.length ? (old?.pages ?? 0) + pages : pages }));
  };

  useEffect(() => {
    turn.current++;
    setRest(undefined);
  }, [question]);
  useEffect(() => {
    if (rest && page) fill(rest.pages, page, []).catch(() => undefined);
  }, [page]);

  const next = rest ? rest.next : page?.next;
  const more = async (): Promise<void> => {
    if (next === undefined || state.isBusy) return;
    setState({ isBusy: true });
    try {
      await fill(1, { items: [], next }, rest?.items ?? []);
      setState({ isBusy: false });
    } catch (error) {
      setState({ isBusy: false, error });
    }
  };
  const seen = new Set<string>();
  const items = page && [...(page.items ?? []), ...(rest?.items ?? [])].filter((item) => !seen.has(idOf(item)) && seen.add(idOf(item)));
  return { first, items, hasMore: next !== undefined, ...state, more };
}

/** The button at the end of such a list. */
export const More = ({ of, children }: { of: { hasMore: boolean; isBusy: boolean; error?: unknown; more: () => Promise<void> }; children?: string }): JSX.Element | null => (
  !of.hasMore ? null : (
    <>
      {of.error !== undefined && <Note tone="warning" live>{textOf(of.error)}</Note>}
      <Button kind="second" busy={of.isBusy} onTap={() => void of.more()}>{children ?? words.more}</Button>
    </>
  )
);
