import type { Children, Component } from "preact";
import { dayAndTime, distance, duration, time, dayKey } from "../../../../shared/format";
import { Money, Section } from "../../../../shared/ui";
import { catalogue } from "../../../../shared/words";
import type { View } from "../view";

const words = catalogue({
  title: { en: "What happened when", ar: "سير الطلب" },
  ordered: { en: "Ordered", ar: "الطلب" },
  accepted: { en: "Accepted", ar: "القبول" },
  started: { en: "Started", ar: "البدء" },
  pickedUp: { en: "Picked up", ar: "الاستلام" },
  rides: { en: "Rider picked up", ar: "ركوب الراكب" },
  driven: { en: "Driven", ar: "المسافة المقطوعة" },
  took: { en: "Time on the way", ar: "مدة الطريق" },
  waited: { en: "Waited at the start", ar: "مدة الانتظار" },
  base: { en: "Base price", ar: "السعر الأساسي" },
  distance: { en: "For the distance", ar: "مقابل المسافة" },
  time: { en: "For the time", ar: "مقابل الوقت" },
  toMinimum: { en: "Up to the lowest price", ar: "تكملة إلى الحد الأدنى" },
  surge: { en: "Because many want to ride", ar: "بسبب كثرة الطلب" },
  parts: { en: "What the price is made of", ar: "تفاصيل السعر" },
});

/** When what happened, in the words of the order's kind; how far and how long it was once it is over. */
export const Timeline: Component<{ view: View }> = ({ view }) => {
  const { order } = view;
  const { trip } = order;
  const started = order.ride ? words.rides : order.food || order.parcel || order.kind === "bikeDropOff" ? words.pickedUp : words.started;
  const moments: [string, string | undefined][] = [
    [words.ordered, order.requestedAt], [words.accepted, trip?.acceptedAt], [started, trip?.startedAt], [order.label, order.ended?.at],
  ];
  const known = moments.filter((one): one is [string, string] => one[1] !== undefined);
  const isOneDay = new Set(known.map(([, at]) => dayKey(at))).size === 1 && dayKey(known[0][1]) === dayKey(Date.now());
  const told = (at: string): string => (isOneDay ? time(at) : dayAndTime(at));
  const lines: [string, Children][] = [];
  if (trip?.metres !== undefined) lines.push([words.driven, distance(trip.metres)]);
  if (trip?.seconds !== undefined && order.ended) lines.push([words.took, duration(trip.seconds)]);
  if (trip?.waitedSeconds !== undefined && trip.waitedSeconds >= 60) lines.push([words.waited, duration(trip.waitedSeconds)]);
  return (
    <Section title={words.title}>
      <div class="card stack">
        <ol class="timeline">
          {known.map(([label, at]) => <li key={label}><span class="grow">{label}</span><time dateTime={at} title={dayAndTime(at)}>{told(at)}</time></li>)}
        </ol>
        {lines.length > 0 && <dl class="facts">{lines.map(([label, value]) => <><dt key={`${label}-t`}>{label}</dt><dd key={`${label}-d`}>{value}</dd></>)}</dl>}
      </div>
    </Section>
  );
};

/** What the price of the quote is made of. */
export const FareParts: Component<{ view: View }> = ({ view }) => {
  const fare = view.order.trip?.fare;
  if (!fare) return null;
  const { currency } = view.order.total;
  const parts: [string, number][] = [
    [words.base, fare.base], [words.distance, fare.distance], [words.time, fare.time], [words.toMinimum, fare.toMinimum], [words.surge, fare.surge],
  ];
  return (
    <details class="fold">
      <summary>{words.parts}</summary>
      <dl class="facts">{parts.filter(([, amount]) => amount !== 0).map(([name, amount]) => <><dt key={`${name}-t`}>{name}</dt><dd key={`${name}-d`}><Money value={{ amount, currency }} /></dd></>)}</dl>
    </details>
  );
};
