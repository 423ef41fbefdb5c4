import type { Component, VNode } from "preact";
import { useEffect, useState } from "preact";
import { isOnline } from "./api/connection";
import { NoConnection, textOf } from "./api/problem";
import { Button, Empty, Skeleton, uiWords } from "./ui";

/** Where a part of the app that is fetched late stands: the part, or why it is not here and how to fetch it again. */
export interface Part<T> {
  found?: T;
  error?: unknown;
  again: () => void;
}

/** A part of the app, fetched when it is first needed. `undefined` fetches nothing. A failure is tried again with the connection, or by `again`. */
export function usePart<T>(load: (() => Promise<T>) | undefined, known?: T): Part<T> {
  const [state, setState] = useState<{ of?: () => Promise<T>; found?: T; error?: unknown }>({});
  const start = (): void => {
    setState({ of: load });
    load?.().then((found) => setState({ of: load, found }), () => setState({ of: load, error: new NoConnection() }));
  };
  useEffect(() => {
    if (load && known === undefined) start();
  }, [load]);
  useEffect(() => (state.error ? isOnline.follow(() => { if (isOnline.get()) start(); }) : undefined), [state]);
  const own = state.of === load ? state : {};
  return { found: known ?? own.found, error: own.error, again: start };
}

/** Says that a part could not be fetched, with the way to try it again. */
export const NotFetched: Component<{ of: Part<unknown> }> = ({ of }) => (
  <Empty icon="offline" title={textOf(of.error)}><Button kind="second" onTap={of.again}>{uiWords.retry}</Button></Empty>
);

/** A part that is fetched when it is first shown: `lazy(() => import("./map"))`. A quiet one shows nothing until then. */
export function lazy<P extends object>(load: () => Promise<{ default: Component<P> }>, isQuiet = false): Component<P> {
  let known: { default: Component<P> } | undefined;
  const fetched = (): Promise<{ default: Component<P> }> => load().then((module) => (known = module));
  return (properties: P): VNode | null => {
    const part = usePart(fetched, known);
    if (part.found) {
      const Found = part.found.default;
      return <Found {...properties} />;
    }
    if (part.error) return <NotFetched of={part} />;
    return isQuiet ? null : <Skeleton kind="card" />;
  };
}
