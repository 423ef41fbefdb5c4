import { duration } from "../../../../shared/format";
import { catalogue, isolate } from "../../../../shared/words";
import { again, cancel, navigate, pay, report, step } from "../acts";
import { Accept, acceptWords } from "../sheets/accept";
import type { Act, Kind, View } from "../view";
import { words as common } from "../words";

const nurse = { en: "The provider", ar: "مقدم الخدمة" };
const client = { en: "the customer", ar: "العميل" };
const en = (name: string, otherwise = nurse.en): string => (name ? isolate(name) : otherwise);
const ar = (name: string, otherwise = nurse.ar): string => (name ? isolate(name) : otherwise);

const words = catalogue({
  asked: { en: "Asked", ar: "تم الإرسال" },
  accepted: { en: "Accepted", ar: "مقبول" },
  onTheWay: { en: "On the way", ar: "في الطريق" },
  there: { en: "There", ar: "وصل" },
  done: { en: "Done", ar: "اكتمل" },

  waits: { en: (name: string) => `${en(name)} has your request`, ar: (name: string) => `طلبك لدى ${ar(name)} بانتظار الرد` },
  waitsHint: { en: "You pay only after it is accepted", ar: "لن تدفع إلا بعد قبول الطلب" },
  toAnswer: { en: "to answer", ar: "للرد" },
  toPay: { en: "to pay", ar: "للدفع" },
  took: { en: (name: string) => `${en(name)} has accepted. Pay, and the way begins`, ar: (name: string) => `وافق ${ar(name)} على طلبك. ادفع ليبدأ الطريق إليك` },
  coming: { en: (name: string) => `${en(name)} is on the way`, ar: (name: string) => `${ar(name)} في الطريق إليك` },
  comingIn: { en: (name: string, time: string) => `${en(name)} is on the way, ${time}`, ar: (name: string, time: string) => `${ar(name)} في الطريق إليك، ${time}` },
  withYou: { en: (name: string) => `${en(name)} is with you`, ar: (name: string) => `${ar(name)} عندك الآن` },
  withYouHint: { en: "When all is done, say so here", ar: "عند انتهاء الخدمة أكّد ذلك هنا" },
  saysDone: { en: (name: string) => `${en(name)} says that it is done`, ar: (name: string) => `أكّد ${ar(name)} انتهاء الخدمة` },
  saysDoneHint: { en: "Please confirm, or report what is wrong", ar: "يرجى التأكيد، أو الإبلاغ إن كانت هناك مشكلة" },
  youSaidDone: { en: (name: string) => `You said that it is done. ${en(name)} confirms it, too`, ar: (name: string) => `أكّدت انتهاء الخدمة، وبقي تأكيد ${ar(name)}` },
  finished: { en: (name: string) => `The visit of ${en(name, "the provider")} is done`, ar: (name: string) => `انتهت زيارة ${ar(name)}` },

  declined: { en: (name: string) => `${en(name)} cannot come`, ar: (name: string) => `اعتذر ${ar(name)} عن الطلب` },
  silent: { en: (name: string) => `${en(name)} did not answer in time`, ar: (name: string) => `لم يرد ${ar(name)} خلال المهلة` },
  unpaidOver: { en: "The time to pay is over", ar: "انتهت مهلة الدفع" },
  notCharged: { en: "You were not charged", ar: "لم يُخصم منك أي مبلغ" },
  asks: { en: (name: string) => `${en(name, "A customer")} asks for a visit`, ar: (name: string) => `${ar(name, client.ar)} يطلب زيارة` },
  awaitsPayment: { en: (name: string) => `Waiting for the payment of ${en(name, client.en)}`, ar: (name: string) => `بانتظار دفع ${ar(name, client.ar)}` },
  awaitsPaymentHint: { en: "Set out once it is paid", ar: "انطلق بعد إتمام الدفع" },
  go: { en: (name: string) => `Go to ${en(name, client.en)}`, ar: (name: string) => `توجّه إلى ${ar(name, client.ar)}` },
  goIn: { en: (name: string, time: string) => `Go to ${en(name, client.en)}, ${time}`, ar: (name: string, time: string) => `توجّه إلى ${ar(name, client.ar)}، ${time}` },
  youAreWith: { en: (name: string) => `You are with ${en(name, client.en)}`, ar: (name: string) => `أنت الآن مع ${ar(name, client.ar)}` },
  customerDone: { en: (name: string) => `${en(name, "The customer")} says that it is done`, ar: (name: string) => `أكّد ${ar(name, client.ar)} انتهاء الخدمة` },
  finishedFor: { en: (name: string) => `The visit to ${en(name, client.en)} is done`, ar: (name: string) => `انتهت زيارتك إلى ${ar(name, client.ar)}` },

  accept: { en: "Accept", ar: "قبول" },
  decline: { en: "Decline", ar: "رفض" },
  declineAsk: { en: "Decline this request?", ar: "هل تريد رفض هذا الطلب؟" },
  arrive: { en: "I have arrived", ar: "لقد وصلت" },
  met: { en: (name: string) => `${en(name)} is here`, ar: (name: string) => `وصل ${ar(name)}` },
  complete: { en: "Service completed", ar: "اكتملت الخدمة" },
  completeAsk: { en: "Is the service completed?", ar: "هل اكتملت الخدمة؟" },
  completeText: { en: "Once both of you have said so, the money is paid out", ar: "بعد تأكيدكما معًا يُحوَّل المبلغ إلى مقدم الخدمة" },
  noShow: { en: "Nobody is here", ar: "لا يوجد أحد" },
  noShowAsk: { en: "Is the customer not there?", ar: "ألم تجد العميل؟" },
  noShowText: { en: "The visit ends, and the customer pays for your way", ar: "ستنتهي الزيارة، ويدفع العميل مقابل طريقك إليه" },
  service: { en: "How was the service?", ar: "كيف كانت الخدمة؟" },
});

const said = (view: View, side: "customer" | "provider"): boolean => view.order.confirmedBy.includes(side);
const complete: Act = step("/dispatch/v1/orders/{id}/complete", () => words.complete, {
  icon: "check", when: (view) => !said(view, view.side as "customer" | "provider"),
  asks: () => ({ title: words.completeAsk, text: words.completeText }),
});
const inTime = (view: View): string | undefined => (view.tracking?.secondsLeft === undefined ? undefined : duration(view.tracking.secondsLeft));

const accept: Act = { id: "accept", icon: "check", label: () => acceptWords.accept, sheet: Accept };
const decline = step("/dispatch/v1/orders/{id}/decline", () => words.decline, {
  kind: "second", asks: () => ({ title: words.declineAsk, yes: words.decline }),
});
const noShow = step("/dispatch/v1/orders/{id}/no-show", () => words.noShow, {
  kind: "quiet", icon: "person", when: (view) => view.order.confirmedBy.length === 0,
  asks: () => ({ title: words.noShowAsk, text: words.noShowText, yes: words.noShow, danger: true }),
});

/** A home visit of a provider whom the customer chose: asked, accepted, paid, on the way, there, confirmed by both. */
const visit: Kind = {
  icon: "care",
  companion: true,
  steps: () => [words.asked, words.accepted, words.onTheWay, words.there, words.done],
  rates: () => words.service,
  stages: {
    requested: {
      customer: { says: (view) => words.waits(view.name), hint: () => words.waitsHint, step: 0, map: true, clock: () => words.toAnswer, acts: [cancel, report] },
      provider: { says: (view) => words.asks(view.name), step: 0, clock: () => words.toAnswer, acts: [accept, decline, report] },
    },
    accepted: {
      customer: { says: (view) => words.took(view.name), step: 1, map: true, clock: () => words.toPay, acts: [pay, cancel, report] },
      provider: { says: (view) => words.awaitsPayment(view.name), hint: () => words.awaitsPaymentHint, step: 1, clock: () => words.toPay, acts: [report] },
    },
    enRoute: {
      customer: {
        says: (view) => { const time = inTime(view); return time ? words.comingIn(view.name, time) : words.coming(view.name); },
        step: 2, map: true,
        acts: [step("/dispatch/v1/orders/{id}/met", (view) => words.met(view.name), { kind: "quiet", icon: "check" }), cancel, report],
      },
      provider: {
        says: (view) => { const time = inTime(view); return time ? words.goIn(view.name, time) : words.go(view.name); },
        step: 2, map: true,
        acts: [step("/dispatch/v1/orders/{id}/arrive", () => words.arrive, { icon: "flag" }), navigate((view) => view.tracking?.destination ?? view.order.place), report],
      },
    },
    arrived: {
      customer: {
        says: (view) => (said(view, "customer") ? words.youSaidDone(view.name) : said(view, "provider") ? words.saysDone(view.name) : words.withYou(view.name)),
        hint: (view) => (said(view, "customer") ? undefined : said(view, "provider") ? words.saysDoneHint : words.withYouHint),
        step: 3, acts: [complete, report],
      },
      provider: {
        says: (view) => (said(view, "provider") ? words.youSaidDone(view.name) : said(view, "customer") ? words.customerDone(view.name) : words.youAreWith(view.name)),
        step: 3, acts: [complete, noShow, report],
      },
    },
    refused: { customer: { says: (view) => words.declined(view.name), hint: () => words.notCharged, acts: [again(() => common.somebodyElse, "care/providers")] } },
    expired: {
      customer: {
        says: (view) => (view.order.reason === "payment-window-over" ? words.unpaidOver : words.silent(view.name)), hint: () => words.notCharged,
        acts: [again(() => (common.somebodyElse), "care/providers")],
      },
    },
    completed: {
      customer: { says: (view) => words.finished(view.name), step: 5, acts: [{ ...again(() => common.again, "care/providers"), kind: "quiet" }, report] },
      provider: { says: (view) => words.finishedFor(view.name), step: 5, acts: [report] },
    },
  },
};

export default visit;
