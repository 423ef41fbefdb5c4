import { money } from "../../../shared/format";
import { cancel, pay, report } from "./acts";
import type { Side, Stage, State, View } from "./view";
import { words } from "./words";

const isPaid = (view: View): boolean => view.order.payment.state === "held" || view.order.payment.state === "captured";

/** Who ended it, to the side that looks. */
function cancelledBy(view: View): string {
  const { by, reason } = view.order;
  if (reason === "customer-no-show" || reason === "no-show" || by === "system") return words.cancelled;
  if (by === view.side && !view.isOnlySeen) return words.cancelledByMe;
  if (by === "admin") return words.cancelledByAdmin;
  return view.name ? words.cancelledByOther(view.name) : words.cancelled;
}

const moneyBack = (view: View): string | undefined =>
  view.side !== "customer" ? undefined
    : view.order.payment.state === "released" ? words.released(money(view.order.total))
    : isPaid(view) ? undefined : words.nothingCharged;

const all = (stage: Stage): Partial<Record<Side, Stage>> => ({ customer: stage, provider: stage, merchant: stage });

/** States that are told in the same way for every kind. A kind's own table comes first. */
export const common: Partial<Record<State, Partial<Record<Side, Stage>>>> = {
  pending: {
    customer: {
      says: (view) => (view.isOnlySeen ? words.pendingSeen : words.pending), hint: () => words.pendingHint, step: 0,
      clock: () => words.payWithin, acts: [pay, cancel],
    },
    provider: { says: () => words.pendingSeen, step: 0 }, merchant: { says: () => words.pendingSeen, step: 0 },
  },
  completed: all({ says: () => words.completed, step: 99, acts: [report] }),
  cancelled: all({ says: cancelledBy, hint: moneyBack, acts: [report] }),
  refused: all({
    says: (view) => (view.order.by === view.side ? words.refusedByMe : words.refused), hint: moneyBack,
  }),
  expired: all({ says: () => words.expired, hint: moneyBack }),
  disputed: all({ says: () => words.disputed, hint: (view) => view.order.review?.text ?? words.disputedHint, acts: [report] }),
};
