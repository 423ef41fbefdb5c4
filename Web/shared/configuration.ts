/** What the deployment says of itself: tiles of maps and the form of the payment provider. */
export interface Configuration {
  /** A template with {z}, {x}, {y}; absent where maps are plain. */
  tiles?: string;
  attribution?: string;
  /** Where the payment provider takes card numbers, and the key that may be shown to everybody. */
  paymentForm?: string;
  paymentKey?: string;
  /** Whether the deployment is a merchant of Apple Pay. */
  applePay?: string;
}

let asked: Promise<Configuration> | undefined;

export function configuration(): Promise<Configuration> {
  asked ??= fetch("/config.json").then((response) => response.json() as Promise<Configuration>).then(
    (found) => Object.fromEntries(Object.entries(found).filter(([, value]) => value)) as Configuration,
    () => {
      asked = undefined;
      return {};
    });
  return asked;
}
