import { localized } from "../../../../../shared/words";
import type { Order } from "../../view";

interface Dish {
  item: string;
  name: string;
  count: number;
  price?: number;
}

/** The dishes of a meal, in the reader's language: the order's lines have their names in both, in the same order. */
export function dishesOf(order: Order): Dish[] {
  const items = order.food?.items ?? [];
  const lines = order.services.filter((one) => one.service === "meal");
  return items.map((item, index) => ({
    ...item, name: lines.length === items.length ? localized(lines[index].name).replace(/^\d+ × /, "") : item.name,
  }));
}
