import type { Children } from "preact";
import { dayAndTime, duration, time } from "../../../../shared/format";
import { catalogue, isolate } from "../../../../shared/words";
import { again, askTime, cancel, navigate, report, step } from "../acts";
import type { Act, Kind, View } from "../view";
import { words as common } from "../words";

const en = (name: string, otherwise: string): string => (name ? isolate(name) : otherwise);
const ar = (name: string, otherwise: string): string => (name ? isolate(name) : otherwise);

const words = catalogue({
  ordered: { en: "Ordered", ar: "تم الطلب" },
  sought: { en: "Finding", ar: "البحث" },
  confirmed: { en: "Booked", ar: "مؤكد" },
  inProgress: { en: "In progress", ar: "قيد التنفيذ" },
  finished: { en: "Finished", ar: "منتهٍ" },

  looking: { en: "We are finding a care partner for you", ar: "نبحث لك عن شريك رعاية" },
  lookingHint: { en: "You are told as soon as somebody has confirmed", ar: "سنبلغك فور تأكيد الموعد" },
  asked: { en: "A care partner was asked, and answers soon", ar: "تم إرسال طلبك إلى شريك رعاية بانتظار رده" },
  comes: { en: (name: string, when: string) => `${en(name, "Your care partner")} comes ${isolate(when)}`, ar: (name: string, when: string) => `موعد ${ar(name, "شريك الرعاية")}: ${isolate(when)}` },
  comesSoon: { en: (name: string) => `${en(name, "Your care partner")} comes as soon as possible`, ar: (name: string) => `${ar(name, "شريك الرعاية")} قادم في أقرب وقت` },
  asksTime: { en: (when: string) => `Another time was asked for: ${isolate(when)}. We will tell you what is decided`, ar: (when: string) => `طُلب موعد آخر: ${isolate(when)}. سنبلغك بالقرار` },
  withYou: { en: (name: string) => `${en(name, "Your care partner")} is with you`, ar: (name: string) => `${ar(name, "شريك الرعاية")} معك الآن` },
  over: { en: (name: string) => `The visit of ${en(name, "your care partner")} is finished`, ar: (name: string) => `انتهت زيارة ${ar(name, "شريك الرعاية")}` },

  toConfirm: { en: (name: string) => `A visit to ${en(name, "a client")}: can you go?`, ar: (name: string) => `زيارة إلى ${ar(name, "عميل")}، هل يناسبك الموعد؟` },
  toAnswer: { en: "to answer", ar: "للرد" },
  next: { en: (name: string, when: string) => `You visit ${en(name, "the client")} ${isolate(when)}`, ar: (name: string, when: string) => `زيارتك إلى ${ar(name, "العميل")}: ${isolate(when)}` },
  nextSoon: { en: (name: string) => `You visit ${en(name, "the client")} as soon as you can`, ar: (name: string) => `زيارتك إلى ${ar(name, "العميل")} في أقرب وقت` },
  startsFrom: { en: (when: string) => `It can be started from ${isolate(when)} on`, ar: (when: string) => `يمكن بدؤها من ${isolate(when)}` },
  youAsked: { en: (when: string) => `You asked for ${isolate(when)}. The desk decides`, ar: (when: string) => `طلبت الموعد ${isolate(when)}، والقرار لدى الإدارة` },
  youAreWith: { en: (name: string) => `You are with ${en(name, "the client")}`, ar: (name: string) => `أنت الآن مع ${ar(name, "العميل")}` },
  overFor: { en: (name: string) => `The visit to ${en(name, "the client")} is finished`, ar: (name: string) => `انتهت زيارتك إلى ${ar(name, "العميل")}` },

  accept: { en: "Confirm the visit", ar: "تأكيد الزيارة" },
  decline: { en: "Decline", ar: "رفض" },
  declineAsk: { en: "Decline this visit?", ar: "هل تريد رفض هذه الزيارة؟" },
  declineText: { en: "The desk finds somebody else", ar: "ستبحث الإدارة عن شخص آخر" },
  otherTime: { en: "Ask for another time", ar: "طلب موعد آخر" },
  start: { en: "Start the visit", ar: "بدء الزيارة" },
  complete: { en: "Finish the visit", ar: "إنهاء الزيارة" },
  completeAsk: { en: "Is the visit finished?", ar: "هل انتهت الزيارة؟" },
  completeText: { en: "The payment is taken then", ar: "سيُخصم المبلغ عندها" },
  giveUp: { en: "I cannot go", ar: "لا أستطيع الذهاب" },
  giveUpAsk: { en: "Give this visit back?", ar: "هل تريد إعادة هذه الزيارة؟" },
  refuse: { en: "Refuse at the door", ar: "رفض الزيارة عند الباب" },
  refuseAsk: { en: "Refuse this visit?", ar: "هل تريد رفض هذه الزيارة؟" },
  refuseText: { en: "The visit ends, and the client gets the money back", ar: "ستنتهي الزيارة ويُعاد المبلغ إلى العميل" },
  nobodyThere: { en: "Nobody is here", ar: "لا يوجد أحد" },
  nobodyCame: { en: "Nobody has come", ar: "لم يأتِ أحد" },
  noShowAsk: { en: "End this visit?", ar: "هل تريد إنهاء هذه الزيارة؟" },
  noShowText: { en: "It ends without a charge, and the money goes back", ar: "ستنتهي دون رسوم ويُعاد المبلغ" },
  met: { en: (name: string) => `${en(name, "My care partner")} is here`, ar: (name: string) => `وصل ${ar(name, "شريك الرعاية")}` },

  forWhom: { en: "For", ar: "لأجل" },
  lasts: { en: "Takes about", ar: "المدة التقريبية" },
  service: { en: "How was the service?", ar: "كيف كانت الخدمة؟" },
});

const startsAt = (view: View): number => new Date(view.order.scheduledAt ?? view.order.requestedAt).getTime();
const mayStart = (view: View): boolean => Date.now() >= startsAt(view) - (view.market?.settings.startEarlySeconds ?? 900) * 1000;
const isLate = (view: View): boolean => Date.now() >= startsAt(view) + (view.market?.settings.noShowWaitSeconds ?? 900) * 1000;

const noShow = (label: () => string): Act => step("/dispatch/v1/orders/{id}/no-show", label, {
  kind: "quiet", icon: "person", when: isLate, asks: () => ({ title: words.noShowAsk, text: words.noShowText, yes: label(), danger: true }),
});
const decline = step("/dispatch/v1/orders/{id}/decline", () => words.decline, {
  kind: "second", leaves: true, asks: () => ({ title: words.declineAsk, text: words.declineText, yes: words.decline }),
});
const refuse = step("/dispatch/v1/orders/{id}/decline", () => words.refuse, {
  kind: "quiet", icon: "close", when: mayStart, asks: () => ({ title: words.refuseAsk, text: words.refuseText, yes: words.refuse, danger: true }),
});

/** A care visit: paid, sent by the desk to a care partner, confirmed, begun and finished by the partner. */
const homeCare: Kind = {
  icon: "heart",
  steps: () => [words.ordered, words.sought, words.confirmed, words.inProgress, words.finished],
  rates: () => words.service,
  facts: (view) => {
    const lines: [string, Children][] = [];
    const { care } = view.order;
    if (care?.relative) lines.push([words.forWhom, isolate(care.relative.name)]);
    if (care) lines.push([words.lasts, duration(care.minutes * 60)]);
    return lines;
  },
  stages: {
    requested: {
      customer: { says: () => words.looking, hint: () => words.lookingHint, step: 1, acts: [cancel] },
    },
    offered: {
      customer: { says: () => words.asked, hint: () => words.lookingHint, step: 1, acts: [cancel] },
      provider: {
        says: (view) => words.toConfirm(view.name), step: 1, clock: () => words.toAnswer,
        hint: (view) => (view.order.proposedAt ? words.youAsked(dayAndTime(view.order.proposedAt)) : undefined),
        acts: [
          step("/dispatch/v1/orders/{id}/accept", () => words.accept, { icon: "check", body: (view) => ({ version: view.order.version }) }),
          decline, askTime(() => words.otherTime),
        ],
      },
    },
    accepted: {
      customer: {
        says: (view) => (view.order.scheduledAt ? words.comes(view.name, dayAndTime(view.order.scheduledAt)) : words.comesSoon(view.name)),
        hint: (view) => (view.order.proposedAt ? words.asksTime(dayAndTime(view.order.proposedAt)) : undefined),
        step: 2, map: (view) => Date.now() > startsAt(view) - 3600_000,
        acts: [
          step("/dispatch/v1/orders/{id}/met", (view) => words.met(view.name), { kind: "quiet", icon: "check", when: mayStart }),
          noShow(() => words.nobodyCame), cancel, report,
        ],
      },
      provider: {
        says: (view) => (view.order.scheduledAt ? words.next(view.name, dayAndTime(view.order.scheduledAt)) : words.nextSoon(view.name)),
        hint: (view) => (view.order.proposedAt ? words.youAsked(dayAndTime(view.order.proposedAt))
          : mayStart(view) ? undefined : words.startsFrom(time(startsAt(view) - (view.market?.settings.startEarlySeconds ?? 900) * 1000))),
        step: 2, map: (view) => Date.now() > startsAt(view) - 3600_000,
        acts: [
          step("/dispatch/v1/orders/{id}/start", () => words.start, { icon: "play", when: mayStart }),
          navigate((view) => view.tracking?.destination ?? view.order.place),
          askTime(() => words.otherTime), noShow(() => words.nobodyThere), refuse,
          step("/dispatch/v1/orders/{id}/give-up", () => words.giveUp, {
            kind: "quiet", icon: "close", leaves: true, asks: () => ({ title: words.giveUpAsk, text: words.declineText, yes: words.giveUp, danger: true }),
          }),
          report,
        ],
      },
    },
    inProgress: {
      customer: { says: (view) => words.withYou(view.name), step: 3, acts: [report] },
      provider: {
        says: (view) => words.youAreWith(view.name), step: 3,
        acts: [
          step("/dispatch/v1/orders/{id}/complete", () => words.complete, { icon: "check", asks: () => ({ title: words.completeAsk, text: words.completeText }) }),
          report,
        ],
      },
    },
    completed: {
      customer: { says: (view) => words.over(view.name), step: 5, acts: [{ ...again(() => common.again, "care/when"), kind: "quiet" }, report] },
      provider: { says: (view) => words.overFor(view.name), step: 5, acts: [report] },
    },
  },
};

export default homeCare;
