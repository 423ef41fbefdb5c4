import type { Component } from "preact";
import { clock } from "../../../shared/format";
import { to } from "../../../shared/router";
import { Button, Note } from "../../../shared/ui";
import type { Quoting } from "./quoting";
import { words } from "./words";

/** The next step of whoever has seen a price: order, see the price of now, or first add a card. */
export const Confirm: Component<{ quoting: Quoting; price: string; busy: boolean; fault?: string; out?: "card" | "fine" | "quote"; onOrder: () => void }> = (
  { quoting, price, busy, fault, out, onOrder },
) => {
  const quote = quoting.quotes?.[0];
  if (!quote) return null;
  const needsCard = quote.needsPaymentMethod || out === "card";
  return (
    <>
      {fault && <Note tone="danger" live>{fault}{out === "fine" && <> <a href={to("wallet")}>{words.finePending}</a></>}</Note>}
      {needsCard ? (
        <>
          <p class="hint">{words.needsCard}</p>
          <Button href={to("wallet/cards")}>{words.addCard}</Button>
        </>
      ) : quoting.isOver ? (
        <>
          <p class="hint" role="status">{words.over}</p>
          <Button onTap={quoting.again} busy={quoting.isLoading}>{words.anew}</Button>
        </>
      ) : (
        <>
          <p class="hint">{words.holds(clock(quoting.secondsLeft))}</p>
          <Button busy={busy || quoting.isLoading} onTap={onOrder}>{words.order(price)}</Button>
        </>
      )}
    </>
  );
};
