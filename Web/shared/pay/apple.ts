import { api } from "../api/client";
import { configuration } from "../configuration";
import { digitsOf, Money } from "../format";
import { hand } from "./provider";

// Apple Pay in Safari. The services prove the deployment to Apple; what the customer agrees to goes from here to the payment provider,
// in the form of Stripe's own clients, and only the payment provider's token for it to the services.

interface Token {
  paymentData: unknown;
  paymentMethod: { displayName?: string; network?: string };
  transactionIdentifier: string;
}

interface Session {
  onvalidatemerchant: (event: { validationURL: string }) => void;
  onpaymentauthorized: (event: { payment: { token: Token } }) => void;
  oncancel: () => void;
  begin(): void;
  abort(): void;
  completeMerchantValidation(session: unknown): void;
  completePayment(result: { status: number }): void;
}

interface SessionMaker {
  new (version: number, request: unknown): Session;
  canMakePayments(): boolean;
  STATUS_SUCCESS: number;
  STATUS_FAILURE: number;
}

/** Absent in every browser but Apple's. */
const maker = (): SessionMaker | undefined => (window as unknown as { ApplePaySession?: SessionMaker }).ApplePaySession;

/** Whether this browser has Apple Pay, and the deployment is a merchant of it. */
export async function hasApplePay(): Promise<boolean> {
  const { applePay, paymentKey } = await configuration();
  try {
    return Boolean(applePay && paymentKey && maker()?.canMakePayments());
  } catch {
    return false;
  }
}

const request = (price: Money, label: string): unknown => ({
  // The first two letters of a country's own currency are the country's.
  countryCode: price.currency.slice(0, 2), currencyCode: price.currency,
  supportedNetworks: price.currency === "SAR" ? ["mada", "visa", "masterCard", "amex"] : ["visa", "masterCard", "amex"],
  merchantCapabilities: ["supports3DS"],
  total: { label, amount: (price.amount / 10 ** digitsOf(price.currency)).toFixed(digitsOf(price.currency)) },
});

const token = ({ paymentData, paymentMethod, transactionIdentifier }: Token, key: string): Promise<string> =>
  hand("tokens", {
    pk_token: JSON.stringify(paymentData), pk_token_instrument_name: paymentMethod.displayName ?? "",
    pk_token_payment_network: paymentMethod.network ?? "", pk_token_transaction_id: transactionIdentifier,
  }, key);

/**
 * The owner's yes on the phone, as a token of the payment provider; undefined where the sheet was closed. Called from a tap: the
 * browser shows the sheet for nothing else.
 */
export function applePayToken(price: Money, market: string, label: string, key: string): Promise<string | undefined> {
  const Maker = maker();
  if (!Maker) return Promise.resolve(undefined);
  return new Promise((resolve, reject) => {
    const session = new Maker(3, request(price, label));
    session.onvalidatemerchant = ({ validationURL }) => void api.post("/wallet/v1/apple-pay/sessions", {}, { market, validationURL }).then(
      (merchant) => session.completeMerchantValidation(merchant),
      (error: unknown) => {
        session.abort();
        reject(error);
      });
    session.onpaymentauthorized = ({ payment }) => void token(payment.token, key).then(
      (found) => {
        session.completePayment({ status: Maker.STATUS_SUCCESS });
        resolve(found);
      },
      (error: unknown) => {
        session.completePayment({ status: Maker.STATUS_FAILURE });
        reject(error);
      });
    session.oncancel = () => resolve(undefined);
    session.begin();
  });
}
