import { configuration } from "../configuration";
import { digitsOf, Money } from "../format";

// Google Pay by the browser's Payment Request: it hands a token of the payment provider at once.

interface Asked {
  canMakePayment(): Promise<boolean>;
  show(): Promise<{ details: { paymentMethodData?: { tokenizationData?: { token?: string } } }; complete(result: "success" | "fail"): Promise<void> }>;
}
type Maker = new (methods: unknown[], details: unknown) => Asked;

const maker = (): Maker | undefined => (window as unknown as { PaymentRequest?: Maker }).PaymentRequest;

function request(Request: Maker, key: string, price: Money, digits: number): Asked {
  const amount = (price.amount / 10 ** digits).toFixed(digits);
  return new Request([{
    supportedMethods: "https://google.com/pay",
    data: {
      apiVersion: 2, apiVersionMinor: 0,
      allowedPaymentMethods: [{
        type: "CARD", parameters: { allowedAuthMethods: ["PAN_ONLY", "CRYPTOGRAM_3DS"], allowedCardNetworks: ["MASTERCARD", "VISA", "AMEX"] },
        tokenizationSpecification: {
          type: "PAYMENT_GATEWAY", parameters: { gateway: "stripe", "stripe:version": "2020-08-27", "stripe:publishableKey": key },
        },
      }],
      transactionInfo: { currencyCode: price.currency, totalPrice: amount, totalPriceStatus: "FINAL" },
    },
  }], { total: { label: "Serai", amount: { currency: price.currency, value: amount } } });
}

let allowed: Promise<boolean> | undefined;
/** Whether the page's policy lets the browser ask Google, which it does by itself and under that policy. */
const isAllowed = (): Promise<boolean> => (allowed ??= fetch(location.pathname, { method: "HEAD" }).then(
  ({ headers }) => /connect-src[^;]* https:\/\/google\.com/.test(headers.get("Content-Security-Policy") ?? ""),
  () => {
    allowed = undefined;
    return false;
  }));

/** Whether this browser has Google Pay, and the deployment a key for it and a policy that allows it. */
export async function hasGooglePay(price: Money): Promise<boolean> {
  const Request = maker();
  const { paymentKey } = await configuration();
  if (!Request || !paymentKey || !(await isAllowed())) return false;
  try {
    return await request(Request, paymentKey, price, digitsOf(price.currency)).canMakePayment();
  } catch {
    return false;
  }
}

/** The owner's yes on the phone, as a token of the payment provider; undefined where it was closed. */
export async function googlePayToken(price: Money): Promise<string | undefined> {
  const Request = maker();
  const { paymentKey } = await configuration();
  if (!Request || !paymentKey) return undefined;
  try {
    const answer = await request(Request, paymentKey, price, digitsOf(price.currency)).show();
    const token = answer.details.paymentMethodData?.tokenizationData?.token;
    await answer.complete(token ? "success" : "fail");
    return token ? (JSON.parse(token) as { id?: string }).id : undefined;
  } catch {
    return undefined;
  }
}
