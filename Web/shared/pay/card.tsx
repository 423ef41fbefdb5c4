import type { Wallet } from "api-types";
import { api } from "../api/client";
import { latinDigits } from "../format";
import { FormState, TextField, Values } from "../forms";
import { invalidate } from "../resources";
import { place } from "../router";
import { uiWords } from "../ui";
import { hand, handCVV } from "./provider";
import { words } from "./words";

/** What somebody types who adds a card. */
export type CardValues = { number: string; expiry: string; cvv: string; holder: string };
export const emptyCard: CardValues = { number: "", expiry: "", cvv: "", holder: "" };

/** Where the API's names of a card's fields stand in the form. */
export const cardPointers = { "/expiryMonth": "expiry", "/expiryYear": "expiry" } as const;
/** The same in the form of a new card, whose number and CVV the API knows by the payment provider's names alone. */
export const newCardPointers = { "/paymentMethod": "number", "/cvvToken": "cvv" } as const;

const digitsOf = (text: string): string => latinDigits(text).replace(/\D/g, "");

/** The check digit of card numbers (ISO/IEC 7812). */
function passesLuhn(digits: string): boolean {
  let sum = 0;
  for (let index = 0; index < digits.length; index++) {
    const digit = Number(digits[digits.length - 1 - index]);
    const doubled = index % 2 ? digit * 2 : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}

export function monthAndYear(text: string): { month: number; year: number } | undefined {
  const match = /^(\d{1,2})\s*\/?\s*(?:20)?(\d{2})$/.exec(latinDigits(text).trim());
  if (!match || Number(match[1]) < 1 || Number(match[1]) > 12) return undefined;
  return { month: Number(match[1]), year: 2000 + Number(match[2]) };
}

/** Whether a card's last month lies behind. */
export function isExpired(month: number, year: number, now = new Date()): boolean {
  const full = year < 100 ? 2000 + year : year;
  return full * 12 + month < now.getFullYear() * 12 + now.getMonth() + 1;
}

export const checkCVV = (cvv: string): string | false => !/^\d{3,4}$/.test(digitsOf(cvv)) && words.badCVV;

export function checkExpiry(text: string): string | false {
  const expiry = monthAndYear(text);
  return !expiry ? words.badExpiry : isExpired(expiry.month, expiry.year) && words.expired;
}

export function checkCard(values: CardValues): { [K in keyof CardValues]?: string | false } {
  const number = digitsOf(values.number);
  return {
    number: (number.length < 12 || number.length > 19 || !passesLuhn(number)) && words.badNumber,
    expiry: checkExpiry(values.expiry),
    cvv: checkCVV(values.cvv),
    holder: values.holder.trim().length < 2 && uiWords.needed,
  };
}

/** The payment provider's name for the security code that was typed. */
export const cvvToken = (values: CardValues, key: string): Promise<string> => handCVV(digitsOf(values.cvv), key);

/** Where the account's bills go, in the payment provider's names; nothing where nobody has asked for it. */
async function billingOf(): Promise<Record<string, string>> {
  const { market } = place.get();
  const found = await api.get("/identity/v1/accounts/me/markets/{market}/billing-address", { market }).catch(() => undefined);
  if (!found) return {};
  const { street, city, postcode, country } = found;
  const parts = { line1: street.replace(/\s*\n\s*/g, ", "), city, postal_code: postcode, country };
  return Object.fromEntries(Object.entries(parts).map(([name, value]) => [`billing_details[address][${name}]`, value]));
}

/** Stores the card: its number and CVV, its owner's name and address go to the payment provider, and the services are told what it
 * calls them. */
export async function storeCard(values: CardValues, key: string, consent = false): Promise<Wallet.Card> {
  const expiry = monthAndYear(values.expiry) as { month: number; year: number };
  const holder = values.holder.trim();
  const paymentMethod = await hand("payment_methods", {
    type: "card", "card[number]": digitsOf(values.number), "card[exp_month]": String(expiry.month),
    "card[exp_year]": String(expiry.year), "card[cvc]": digitsOf(values.cvv), "billing_details[name]": holder, ...(await billingOf()),
  }, key);
  const card = await api.post("/wallet/v1/cards", {}, { paymentMethod, holder, consent }, { key });
  invalidate("cards");
  return card;
}

/** Groups of four while one types at the end; what is mended in the middle stays under the caret. */
function grouped(text: string, old: string): string {
  const plain = latinDigits(text);
  return plain.length > old.length && plain.startsWith(old) ? digitsOf(plain).slice(0, 19).replace(/(\d{4})(?=\d)/g, "$1 ") : plain;
}
function dated(text: string, old: string): string {
  const plain = latinDigits(text);
  if (plain.length <= old.length || !/^\d{2,}$/.test(plain)) return plain;
  return `${plain.slice(0, 2)}/${plain.slice(2)}`;
}

export const CVVField = ({ form }: { form: FormState<CardValues> }): JSX.Element => (
  <TextField form={form} name="cvv" kind="digits" label={words.cvv} hint={words.cvvHint} autocomplete="cc-csc" maximum={4} />
);

/** The fields of a card. A form that holds more hands itself as `cardPart(form)`. */
export const CardFields = ({ form }: { form: FormState<CardValues> }): JSX.Element => {
  const typed: FormState<CardValues> = {
    ...form,
    set: (name, value) => form.set(name, (name === "number" ? grouped(value, form.values.number) : name === "expiry" ? dated(value, form.values.expiry) : value) as typeof value),
  };
  return (
    <>
      <TextField form={typed} name="number" kind="digits" label={words.number} autocomplete="cc-number" maximum={23} />
      <TextField form={typed} name="expiry" kind="digits" label={words.expiry} hint={words.expiryHint} autocomplete="cc-exp" maximum={7} />
      <CVVField form={form} />
      <TextField form={typed} name="holder" label={words.holder} autocomplete="cc-name" maximum={100} />
    </>
  );
};

export const cardPart = <V extends Values & CardValues>(form: FormState<V>): FormState<CardValues> => form as unknown as FormState<CardValues>;
