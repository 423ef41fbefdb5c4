import type { Notifications } from "api-types";
import { clockOf, momentOf } from "../../../shared/zone";
import { type ActField, type ActValues, optionsOf } from "../../kit";
import { words } from "./words";

type Notice = Notifications.GeneralNotice;
type Draft = Notifications.GeneralNoticeDraft;
type Audience = Draft["audience"];

export const audiences = (): Record<Audience, string> => ({ all: words.all, customers: words.customers, providers: words.providers });
export const languages = (): Record<string, string> => ({ en: words.english, ar: words.arabic });

/** What a field of the browser shows of a moment, by the market's clock: `2026-11-28T09:30`. */
export const typedMoment = (moment: string, zone: string): string =>
  `${new Intl.DateTimeFormat("sv-SE", { timeZone: zone }).format(new Date(moment))}T${clockOf(moment, zone)}`;

/** Both languages side by side, whom it goes to, and when. */
export function fieldsOf(notice: Notice | undefined, titles: { value: string; label: string }[], zone: string): ActField[] {
  return [
    { name: "subjectEn", label: words.subjectEn, initial: notice?.subject.en ?? "", maximum: 120, half: true },
    { name: "subjectAr", label: words.subjectAr, initial: notice?.subject.ar ?? "", maximum: 120, half: true },
    { name: "contentEn", label: words.contentEn, kind: "long", initial: notice?.content.en ?? "", maximum: 2000, half: true },
    { name: "contentAr", label: words.contentAr, kind: "long", initial: notice?.content.ar ?? "", maximum: 2000, half: true },
    { name: "audience", label: words.audience, kind: "choice", initial: notice?.audience ?? "all", options: optionsOf(audiences()) },
    ...(titles.length ? [{ name: "title", label: words.profession, kind: "select" as const, optional: true, initial: notice?.title ?? "", hint: words.emptyIsAll, options: titles, when: (values: ActValues) => values.audience === "providers" }] : []),
    { name: "language", label: words.language, kind: "select", optional: true, initial: notice?.language ?? "", hint: words.emptyIsAll, options: optionsOf(languages()) },
    { name: "at", label: words.when, kind: "datetime-local", optional: true, hint: words.whenHint, initial: notice ? typedMoment(notice.dueAt, zone) : "" },
  ];
}

/** The market's clock at the edge, UTC from here on. */
export const draftOf = (values: ActValues, zone: string): Draft => ({
  subject: { en: String(values.subjectEn).trim(), ar: String(values.subjectAr).trim() },
  content: { en: String(values.contentEn).trim(), ar: String(values.contentAr).trim() },
  audience: values.audience as Audience,
  title: values.audience === "providers" && values.title ? String(values.title) : undefined,
  language: values.language ? String(values.language) : undefined,
  at: values.at ? momentOf(String(values.at).slice(0, 10), String(values.at).slice(11, 16), zone).toISOString() : undefined,
});

export const pointers = { "/subject/en": "subjectEn", "/subject/ar": "subjectAr", "/content/en": "contentEn", "/content/ar": "contentAr" };
