import { duration } from "../../../../../shared/format";
import { catalogue, isolate } from "../../../../../shared/words";
import { words as orderWords } from "../../words";
import type { View } from "../../view";

export const words = catalogue({
  met: { en: (name: string) => `${name} is here`, ar: (name: string) => `وصل ${name}` },
  driver: { en: "The driver", ar: "السائق" },
  rider: { en: "your rider", ar: "الراكب" },
  customer: { en: "the customer", ar: "العميل" },
  toAnswer: { en: "to answer", ar: "للرد" },
  accept: { en: "Accept", ar: "قبول" },
  decline: { en: "Decline", ar: "رفض" },
  giveUp: { en: "I cannot do it after all", ar: "لا أستطيع إتمامه" },
  giveUpAsk: { en: "Give this order back?", ar: "هل تريد التخلي عن هذا الطلب؟" },
  giveUpText: { en: "Another driver is searched at once", ar: "سنبحث فورًا عن سائق آخر" },
  endOrder: { en: "End the order", ar: "إنهاء الطلب" },
  nobody: { en: "Nobody was found", ar: "لم نجد سائقًا متاحًا" },
  backHint: { en: "All of your money is given back", ar: "يُعاد إليك المبلغ كاملًا" },
});

export const driverOf = (view: View): string => (view.order.provider ? isolate(view.order.provider.name) : words.driver);
export const riderOf = (view: View): string => isolate(view.order.customer.name);
export const isSaid = (view: View, side: "customer" | "provider"): boolean => view.order.confirmedBy.includes(side);

/** How long the way still takes, as last heard. */
export const timeLeft = (view: View): string | undefined =>
  (view.tracking?.secondsLeft === undefined ? undefined : isolate(duration(view.tracking.secondsLeft)));

export const nobodyFound = (view: View): string => (view.order.reason === "nobody-found" ? words.nobody : orderWords.expired);
