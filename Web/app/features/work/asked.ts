import { usePosting } from "../../../shared/posting";
import { useGet } from "../../../shared/resources";
import type { Order } from "../order/view";

/** Whether the provider is only asked for it: nothing is agreed yet. */
export const isAsked = (order: Order): boolean => order.role === "provider" && (order.state === "offered" || (order.kind === "visit" && order.state === "requested"));

const moving = ["accepted", "enRoute", "arrived", "inProgress"];
/** Whether the customer follows the way to it, or will soon: a visit at a time from half an hour before it on; a parcel where its
 * carrier lets the owner. */
const isFollowed = (order: Order): boolean => moving.includes(order.state) && (!order.parcel || order.parcel.isFollowed === true) &&
  (order.state !== "accepted" || !order.scheduledAt || new Date(order.scheduledAt).getTime() - Date.now() < 30 * 60_000);

/** Posts positions while any page is open: of who is available, and of who has an order that is followed. */
export function usePostingOfWork(market: string, running: Order[]): void {
  const state = useGet("/dispatch/v1/markets/{market}/availability", { market }, ["availability"]);
  usePosting(Boolean(state.value?.available) || running.some(isFollowed));
}

/** The provider's orders in a market that have not ended: those that wait for an answer, and those that go on. */
export function useWork(market: string): { asked: Order[]; running: Order[]; isThere: boolean; resource: ReturnType<typeof useActive> } {
  const resource = useActive();
  const all = (resource.value?.items ?? []).filter((one) => one.market === market);
  return { asked: all.filter(isAsked), running: all.filter((one) => !isAsked(one)), isThere: resource.value !== undefined, resource };
}
const useActive = () => useGet("/dispatch/v1/orders", { role: "provider", section: "active", limit: 50 }, ["orders"]);
