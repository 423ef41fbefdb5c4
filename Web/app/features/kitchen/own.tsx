import type { Dispatch } from "api-types";
import type { Children } from "preact";
import { Problem } from "../../../shared/api/problem";
import { useMarket } from "../../../shared/market";
import { useGet } from "../../../shared/resources";
import { to } from "../../../shared/router";
import { Button, Empty, Loaded, Skeleton } from "../../../shared/ui";
import { words } from "./words";

export const useOwn = () => {
  const { id: market } = useMarket();
  return useGet("/dispatch/v1/markets/{market}/restaurant", { market }, ["restaurant"]);
};

/** The caller's restaurant; what to do first where there is none yet, or it is not verified. */
export function Own({ of, children }: { of: ReturnType<typeof useOwn>; children: (found: Dispatch.Restaurant) => Children }): JSX.Element {
  if (!of.value && of.error instanceof Problem && of.error.status === 404) {
    return <Empty icon="store" title={words.begin} text={words.beginText}><Button href={to("kitchen/info")}>{words.beginNow}</Button></Empty>;
  }
  if (!of.value && of.error instanceof Problem && of.error.status === 403) {
    return <Empty icon="document" title={words.unverified}><Button href={to("papers/restaurant")}>{words.toPapers}</Button></Empty>;
  }
  return <Loaded of={of} skeleton={<Skeleton kind="card" rows={3} />}>{children}</Loaded>;
}
