import { deadline } from "../api/connection";
import { NoConnection, Problem } from "../api/problem";
import { configuration } from "../configuration";
import { words } from "./words";

// What goes to the payment provider alone, in Stripe's form: card numbers and security codes never reach the services, which are
// told the names that the payment provider gives to them.

/** Where the payment provider's names of fields stand in the form. */
const fieldOf: Record<string, string> = { number: "number", exp_month: "expiry", exp_year: "expiry", cvc: "cvv" };
const wordsOf: Record<string, string> = { number: "badNumber", expiry: "badExpiry", cvv: "badCVV" };

interface Answer {
  id?: string;
  error?: { type?: string; param?: string };
}

/** One answer for one content of a request: a repeat of it names the same thing, so the services know it again. */
const handed = new Map<string, Promise<string>>();

async function post(path: string, body: string): Promise<string> {
  const { paymentForm, paymentKey } = await configuration();
  if (!paymentForm || !paymentKey) throw new Problem(503, "no-payment-form", words.noCards, undefined, [], {});
  let answer: Answer;
  try {
    // The key is a field, not a header, so that the browser asks nothing before it sends.
    const response = await fetch(`${paymentForm}/v1/${path}`, {
      method: "POST", body: `key=${encodeURIComponent(paymentKey)}&${body}`, credentials: "omit", referrerPolicy: "no-referrer",
      headers: { "Content-Type": "application/x-www-form-urlencoded" }, signal: deadline(30_000),
    });
    answer = (await response.json()) as Answer;
  } catch {
    throw new NoConnection();
  }
  if (answer.id) return answer.id;
  const field = answer.error?.type === "card_error" ? fieldOf[answer.error.param ?? ""] : undefined;
  const text = field ? words[wordsOf[field] as "badNumber"] : words.cardRefused;
  throw new Problem(422, "card-refused", words.cardRefused, undefined, field ? [{ field: `/${field}`, code: "card-refused", detail: text }] : [], {});
}

/** Hands fields to the payment provider and answers its name for them. */
export function hand(path: "payment_methods" | "tokens", fields: Record<string, string>, key: string): Promise<string> {
  const body = new URLSearchParams(fields).toString();
  const name = `${key} ${path} ${body}`;
  let answer = handed.get(name);
  if (!answer) {
    answer = post(path, body);
    handed.set(name, answer);
    answer.catch(() => handed.delete(name));
  }
  return answer;
}

/** The payment provider's name for a security code, good for one payment. */
export const handCVV = (cvv: string, key: string): Promise<string> => hand("tokens", { "cvc_update[cvc]": cvv }, key);
