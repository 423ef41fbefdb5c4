import { latinDigits } from "../format";

/** Lengths by country, of SWIFT's IBAN register; those of others are left to the API. */
const lengths: Record<string, number> = { SA: 24, SE: 24, AE: 23, BH: 22, EG: 29, JO: 30, KW: 30, OM: 23, QA: 29, DE: 22, FR: 27, GB: 22, NL: 18, NO: 15, DK: 18, FI: 18, TR: 26 };

export const plainIBAN = (text: string): string => latinDigits(text).replace(/[\s-]/g, "").toUpperCase();

/** Whether the check digits are right (ISO 13616: the remainder of 97 is 1). */
export function isIBAN(text: string): boolean {
  const plain = plainIBAN(text);
  if (!/^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/.test(plain)) return false;
  const length = lengths[plain.slice(0, 2)];
  if (length && plain.length !== length) return false;
  let rest = 0;
  for (const letter of plain.slice(4) + plain.slice(0, 4)) {
    const value = parseInt(letter, 36);
    rest = (rest * (value > 9 ? 100 : 10) + value) % 97;
  }
  return rest === 1;
}

/** Groups of four, while one types at the end. */
export function groupedIBAN(text: string, old: string): string {
  const plain = latinDigits(text).toUpperCase();
  return plain.length > old.length && plain.startsWith(old) ? plainIBAN(plain).slice(0, 34).replace(/(.{4})(?=.)/g, "$1 ") : plain;
}

const examples: Record<string, string> = { SAR: "SA03 8000 0000 6080 1016 7519", SEK: "SE45 5000 0000 0583 9825 7466" };
/** An IBAN of the country whose money it is. */
export const exampleIBAN = (currency: string | undefined): string => examples[currency ?? ""] ?? "GB29 NWBK 6016 1331 9268 19";
