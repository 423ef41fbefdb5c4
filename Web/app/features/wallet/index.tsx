import type { Component } from "preact";
import type { ScreenProperties } from "../../features";
import { Bank, Banks } from "./banks";
import { AddCard, CardScreen, Cards } from "./cards";
import { CashOutForm } from "./cash-out";
import { CashOut, CashOuts } from "./cash-outs";
import { Fines } from "./fines";
import { Overview } from "./overview";
import { Statement } from "./statement";
import { TopUpForm } from "./top-up";
import { TopUpState } from "./top-up-state";

export interface PartProperties {
  id: string;
  query: URLSearchParams;
}

const parts: Record<string, Component<PartProperties>> = {
  statement: Statement, "top-up": TopUpForm, cards: Cards, "cards/add": AddCard, "cash-out": CashOutForm, "cash-outs": CashOuts, banks: Banks, "banks/add": Bank, fines: Fines,
};
const things: Record<string, Component<PartProperties>> = { "top-up": TopUpState, cards: CardScreen, "cash-outs": CashOut, banks: Bank };

/** The wallet, and the screens behind it. */
const WalletFeature: Component<ScreenProperties> = ({ params, query }) => {
  const rest = params.rest ?? "";
  const [name, id = ""] = rest.split("/");
  const Part = parts[rest] ?? (id ? things[name] : undefined) ?? Overview;
  return <Part key={rest} id={id} query={query} />;
};

export default WalletFeature;
