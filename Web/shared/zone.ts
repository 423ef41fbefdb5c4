// Times on a market's clock, which may differ from the phone's.

function offset(moment: number, zone: string): number {
  const parts = new Intl.DateTimeFormat("en-US", {
    timeZone: zone, hourCycle: "h23", year: "numeric", month: "numeric", day: "numeric", hour: "numeric", minute: "numeric", second: "numeric",
  }).formatToParts(new Date(moment));
  const part = (type: string): number => Number(parts.find((one) => one.type === type)?.value);
  return Date.UTC(part("year"), part("month") - 1, part("day"), part("hour"), part("minute"), part("second")) - Math.floor(moment / 1000) * 1000;
}

/** The moment at which the zone's clock shows a day (`2026-11-27`) and a time (`14:05`). */
export function momentOf(day: string, time: string, zone: string): Date {
  const wanted = Date.parse(`${day}T${time}:00Z`);
  const guess = wanted - offset(wanted, zone);
  return new Date(wanted - offset(guess, zone));
}

/** What the zone's clock shows: `14:05`. */
export const clockOf = (moment: string | number | Date, zone: string): string =>
  new Intl.DateTimeFormat("en-GB", { timeZone: zone, hour: "2-digit", minute: "2-digit", hourCycle: "h23" }).format(new Date(moment));
