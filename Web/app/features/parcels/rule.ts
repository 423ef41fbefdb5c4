/** How often a parcel goes, and from when on. */
export interface When {
  every: "daily" | "weekly" | "monthly";
  firstDay: string;
  time: string;
  until: string;
}

const weekdays = ["SU", "MO", "TU", "WE", "TH", "FR", "SA"];

/** The rule as RFC 5545 has it: on the weekday, or the day of the month, of the first day. */
export function ruleOf({ every, firstDay, until }: When): string {
  const parts = [`FREQ=${every.toUpperCase()}`];
  if (every === "weekly") parts.push(`BYDAY=${weekdays[new Date(`${firstDay}T12:00:00Z`).getUTCDay()]}`);
  if (every === "monthly") parts.push(`BYMONTHDAY=${Math.min(28, Number(firstDay.slice(8)))}`);
  if (until) parts.push(`UNTIL=${until.replace(/-/g, "")}`);
  return parts.join(";");
}
