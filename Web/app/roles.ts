import type { Mode } from "../shared/market";
import { place } from "../shared/router";
import { catalogue } from "../shared/words";

const words = catalogue({
  customer: { en: "Customer", ar: "عميل" },
  rider: { en: "Rider", ar: "راكب" },
  sender: { en: "Sender", ar: "مرسل" },
  driver: { en: "Driver", ar: "سائق" },
  restaurant: { en: "Restaurant", ar: "مطعم" },
  nurse: { en: "Provider", ar: "مقدم خدمة" },
  partner: { en: "Care partner", ar: "شريك رعاية" },
  carrier: { en: "Carrier", ar: "ناقل" },
});

/** What somebody in a mode is called in the open market. */
export function modeName(mode: Mode): string {
  const { market } = place.get();
  if (mode === "driver" || mode === "restaurant") return words[mode];
  if (mode === "customer") return market === "btnc" ? words.rider : market === "carrepsa" ? words.sender : words.customer;
  return market === "edencare" ? words.partner : market === "carrepsa" ? words.carrier : words.nurse;
}
