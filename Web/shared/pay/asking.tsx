import type { Wallet } from "api-types";
import type { Component } from "preact";
import { useEffect, useState } from "preact";
import { Button } from "../ui";
import { leaveFor } from "./redirect";
import { words } from "./words";

/** What was begun on this page: its owner is led on as soon as the bank says where. */
export const begun = new Set<string>();

/** The bank or PayPal is asked, or wants the owner's own yes on its page. Whoever comes back from there has said it: the answer is
 * awaited for some seconds before the way there is offered again. `path` is where the way leads back to. */
export const Asking: Component<{
  id: string; action?: Wallet.NextAction; method?: Wallet.PaymentMethod; path: string; isBack: boolean; text?: string; isLeaving?: boolean; onAbandon?: () => void;
}> = ({ id, action: told, method, path, isBack, text, isLeaving, onAbandon }) => {
  const [waits, setWaits] = useState(isBack);
  useEffect(() => {
    if (!isBack) return undefined;
    const timer = setTimeout(() => setWaits(false), 8000);
    return () => clearTimeout(timer);
  }, []);
  useEffect(() => {
    if (told && begun.delete(id)) leaveFor(told, path);
  }, [told?.url]);
  const action = waits ? undefined : told;
  const isPayPal = method === "payPal";
  return (
    <div class="stack">
      <div class="empty" role="status">
        {!action && <span class="spinner" aria-hidden="true" />}
        <h2>{!action ? words.asking : isPayPal ? words.confirmPayPal : words.confirm}</h2>
        <p>{!action ? text ?? words.askingText : isPayPal ? words.confirmPayPalText : words.confirmText}</p>
      </div>
      <div class="actions">
        {action && <Button onTap={() => leaveFor(action, path)}>{words.goThere}</Button>}
        {onAbandon && <Button kind="second" busy={isLeaving} onTap={onAbandon}>{words.otherWay}</Button>}
      </div>
    </div>
  );
};
