import type { Component } from "preact";
import { useRef, useState } from "preact";
import { api, newKey } from "../../../../shared/api/client";
import { isDecided, Problem, textOf } from "../../../../shared/api/problem";
import { distance, money } from "../../../../shared/format";
import { invalidate, useGet } from "../../../../shared/resources";
import { Button, Loaded, Note, Sheet, Skeleton, toast } from "../../../../shared/ui";
import type { View } from "../view";
import { words } from "../words";

/** Cancels the order, with the fee shown before. */
export const Cancel: Component<{ view: View; onClose: () => void }> = ({ view, onClose }) => {
  const id = view.order.order;
  const quote = useGet("/dispatch/v1/orders/{id}/cancellation", { id }, [`cancellation:${id}`]);
  const [isBusy, setBusy] = useState(false);
  const [fault, setFault] = useState<string | undefined>(undefined);
  const key = useRef(newKey());

  const cancel = async (): Promise<void> => {
    const shown = quote.value;
    if (!shown) return;
    setBusy(true);
    setFault(undefined);
    try {
      await api.post("/dispatch/v1/orders/{id}/cancel", { id }, shown.isFree ? {} : { acceptedFine: shown.fine, quote: shown.quote }, { key: key.current });
      invalidate(`order:${id}`, "orders", "wallet");
      toast(words.cancelled_);
      onClose();
    } catch (error) {
      if (isDecided(error)) key.current = newKey();
      const isGrown = error instanceof Problem && (error.slug === "fine-grown" || error.slug === "fine-not-accepted");
      setFault(isGrown ? words.cancelGrown : textOf(error));
      invalidate(`cancellation:${id}`, `order:${id}`);
    }
    setBusy(false);
  };

  return (
    <Sheet title={words.cancelAsk} onClose={onClose}>
      {fault && <Note tone="warning" live>{fault}</Note>}
      <Loaded of={quote} skeleton={<Skeleton kind="text" rows={2} />}>
        {(shown) => (
          <>
            <p>{shown.isFree ? words.cancelFree : words.cancelFee(money(shown.fine), distance(shown.metres), shown.fee ? money({ amount: shown.fee, currency: shown.fine.currency }) : undefined)}</p>
            <div class="actions">
              <Button kind="danger" busy={isBusy} onTap={() => void cancel()}>{shown.isFree ? words.cancelYes : words.cancelYesFee(money(shown.fine))}</Button>
              <Button kind="second" onTap={onClose}>{words.keep}</Button>
            </div>
          </>
        )}
      </Loaded>
    </Sheet>
  );
};
