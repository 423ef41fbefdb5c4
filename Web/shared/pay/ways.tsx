import type { Wallet } from "api-types";
import { useEffect, useState } from "preact";
import { Problem } from "../api/problem";
import { Money, money } from "../format";
import { ChoiceField, FormState, Values } from "../forms";
import { marketName } from "../market";
import { useGet } from "../resources";
import { place } from "../router";
import { Note } from "../ui";
import { CardFields, cardPart, CardValues, checkCard, checkCVV, CVVField, cvvToken, emptyCard, isExpired, storeCard } from "./card";
import { applePayToken, hasApplePay } from "./apple";
import { googlePayToken, hasGooglePay } from "./phone";
import { words } from "./words";

/** How something is paid: `card:ID`, `new`, or the API's name of another method. */
export type PayValues = CardValues & { way: string };

export interface Ways {
  /** Those of the market that work in this browser. */
  methods: string[];
  cards: Wallet.Card[];
  wallet?: Wallet.Wallet;
  isLoading: boolean;
  error?: unknown;
  reload: () => Promise<void>;
}

/** What the account can pay with. Methods are those of the market, less what this browser lacks. */
export function useWays(methods: string[] | undefined, price: Money | undefined): Ways {
  const cards = useGet("/wallet/v1/cards", {}, ["cards"]);
  const wallets = useGet("/wallet/v1/wallets", {}, ["wallet"]);
  const [google, setGoogle] = useState(false);
  const [apple, setApple] = useState(false);
  const asks = Boolean(methods?.includes("googlePay") && price);
  useEffect(() => {
    if (asks) void hasGooglePay(price as Money).then(setGoogle);
  }, [asks]);
  useEffect(() => void hasApplePay().then(setApple), []);
  return {
    methods: (methods ?? []).filter((method) => (method !== "applePay" || apple) && (method !== "googlePay" || google)),
    cards: cards.value?.items ?? [],
    wallet: wallets.value?.items.find((one) => one.currency === price?.currency),
    isLoading: !methods || !cards.value || !wallets.value,
    error: cards.error ?? wallets.error,
    reload: async () => void (await Promise.all([cards.reload(), wallets.reload()])),
  };
}

const isEnough = (wallet: Wallet.Wallet | undefined, price: Money): boolean => (wallet?.available ?? 0) >= price.amount;

/** What is chosen at first: the card that is the default, else a wallet that is full enough, else whatever there is. */
export function firstWay({ methods, cards, wallet }: Ways, price: Money): string {
  const good = cards.filter((card) => !isExpired(card.expiryMonth, card.expiryYear));
  const card = good.find((one) => one.isDefault) ?? good[0];
  const takesCards = methods.includes("card");
  if (takesCards && card) return `card:${card.card}`;
  if (methods.includes("wallet") && isEnough(wallet, price)) return "wallet";
  if (takesCards) return "new";
  return methods.find((method) => method !== "wallet") ?? methods[0] ?? "";
}

export const firstValues = (ways: Ways, price: Money): PayValues => ({ ...emptyCard, way: firstWay(ways, price) });

const brandName = (brand: string): string => (brand.length <= 4 ? brand.toUpperCase() : brand[0].toUpperCase() + brand.slice(1));
/** `Visa •••• 4242` */
export const CardName = ({ card }: { card: { brand: string; lastFour: string } }): JSX.Element => (
  <bdi dir="ltr">{brandName(card.brand)} <span aria-hidden="true">••••</span> <span class="hidden">, </span>{card.lastFour}</bdi>
);
export const cardName = (card: { brand: string; lastFour: string }): string => words.ending(brandName(card.brand), card.lastFour);
export const expiryOf = (card: Wallet.Card): string => `${String(card.expiryMonth).padStart(2, "0")}/${String(card.expiryYear % 100).padStart(2, "0")}`;

function options(ways: Ways, price: Money): { value: string; label: JSX.Element | string; detail?: string; icon: string }[] {
  const { methods, cards, wallet } = ways;
  const found: ReturnType<typeof options> = [];
  if (methods.includes("card")) {
    for (const card of cards) {
      const over = isExpired(card.expiryMonth, card.expiryYear);
      found.push({ value: `card:${card.card}`, icon: "card", label: <CardName card={card} />, detail: over ? words.hasExpired : words.expires(expiryOf(card)) });
    }
  }
  if (methods.includes("wallet")) {
    const available = money({ amount: wallet?.available ?? 0, currency: price.currency });
    found.push({
      value: "wallet", icon: "wallet", label: words.wallet,
      detail: wallet?.isFrozen ? words.frozen : isEnough(wallet, price) ? words.available(available) : words.tooLittle(available),
    });
  }
  if (methods.includes("applePay")) found.push({ value: "applePay", icon: "phone", label: words.applePay });
  if (methods.includes("googlePay")) found.push({ value: "googlePay", icon: "phone", label: words.googlePay });
  if (methods.includes("payPal")) found.push({ value: "payPal", icon: "globe", label: words.payPal, detail: words.payPalDetail });
  if (methods.includes("cash")) found.push({ value: "cash", icon: "cash", label: words.cash, detail: words.cashDetail });
  if (methods.includes("card")) found.push({ value: "new", icon: "plus", label: cards.length ? words.newCard : words.firstCard });
  return found;
}

export const payPart = <V extends Values & PayValues>(form: FormState<V>): FormState<PayValues> => form as unknown as FormState<PayValues>;

/** Chooses how to pay, with what that asks for. */
export const WayFields = ({ form, ways, price }: { form: FormState<PayValues>; ways: Ways; price: Money }): JSX.Element => {
  const { way } = form.values;
  return (
    <>
      <ChoiceField form={form} name="way" label={words.how} options={options(ways, price)} />
      {way === "new" && <><CardFields form={cardPart(form)} /><Note icon="lock">{words.savedForNext}. {words.cvvAgain}</Note></>}
      {way.startsWith("card:") && <CVVField form={cardPart(form)} />}
    </>
  );
};

export const wayIsShort = (values: PayValues, ways: Ways, price: Money): boolean => values.way === "wallet" && !isEnough(ways.wallet, price);

export function checkWay(values: PayValues): { [K in keyof PayValues]?: string | false } {
  if (values.way === "new") return checkCard(values);
  if (values.way.startsWith("card:")) return { cvv: checkCVV(values.cvv) };
  return { way: !values.way && words.chooseWay };
}

export interface Instrument {
  method: "card" | "wallet" | "cash" | "applePay" | "googlePay" | "payPal";
  card?: string;
  cvvToken?: string;
  token?: string;
}

/** What the API is told. A new card is stored first; should what follows fail, it is one of the stored ones from then on. */
export async function instrument(form: FormState<PayValues>, values: PayValues, key: string, price: Money): Promise<Instrument> {
  if (values.way === "new") {
    const card = await storeCard(values, `${key}-card`);
    form.set("way", `card:${card.card}`);
    form.set("number", "");
    return { method: "card", card: card.card, cvvToken: await cvvToken(values, key) };
  }
  if (values.way.startsWith("card:")) {
    return { method: "card", card: values.way.slice(5), cvvToken: await cvvToken(values, key) };
  }
  if (values.way === "applePay" || values.way === "googlePay") {
    const market = place.get().market;
    const token = await (values.way === "applePay"
      ? applePayToken(price, market, marketName(market), `${key}-apple`) : googlePayToken(price));
    if (!token) throw new Problem(0, "not-paid", words.phoneStopped, undefined, [], {});
    return { method: values.way, token };
  }
  return { method: values.way as Instrument["method"] };
}
