import type { Children, Component } from "preact";
import type { Dispatch, Notifications } from "api-types";
import type { ButtonKind } from "../../../shared/ui";

export type Order = Dispatch.Order;
export type State = Dispatch.OrderState;
/** The side from which the order is looked at. Relatives and admins see what the customer sees. */
export type Side = "customer" | "provider" | "merchant";

/** What a part of the order's page knows. */
export interface View {
  order: Order;
  side: Side;
  /** A relative or an admin looks: nothing can be done. */
  isOnlySeen: boolean;
  market?: Dispatch.Market;
  /** Where the provider is, and how far it still is, as last heard from `/tracking` or the stream. */
  tracking?: Tracking;
  /** The other one's name: the customer's to the provider, the provider's to customer and restaurant. Empty while there is nobody. */
  name: string;
}

export type Tracking = Dispatch.Tracking & { at?: Notifications.PositionEvent["at"] };

/** Something that a side can do. With `sheet` it asks more first; else `run` does it at once. */
export interface Act {
  id: string;
  label: (view: View) => string;
  icon?: string;
  /** The first act of a stage that is `primary` or without a kind is the page's big button; quiet ones stand in the list below. */
  kind?: ButtonKind;
  /** A question before it is done, naming the thing. */
  asks?: (view: View) => { title: string; text?: string; yes?: string; danger?: boolean };
  run?: (view: View) => Promise<unknown>;
  sheet?: Component<{ view: View; onClose: () => void }>;
  href?: (view: View) => string;
  /** Where the act is there only at times. */
  when?: (view: View) => boolean;
}

/** How an order in a state is told to one side. */
export interface Stage {
  /** One sentence: who does what, and when. The same event in each side's own words. */
  says: (view: View) => string;
  /** What follows, or what it means for money. */
  hint?: (view: View) => string | undefined;
  /** Which of the kind's steps it is; absent where the order has ended otherwise. */
  step?: number | ((view: View) => number);
  /** The map with the provider: somebody is on the way. */
  map?: boolean | ((view: View) => boolean);
  /** Whether the time until `deadline` runs down on the page, and what it is until. */
  clock?: (view: View) => string | undefined;
  /** The first one is the big button. */
  acts?: Act[];
}

/**
 * A kind of order: all that its page needs to know. A state or side that it leaves out is told by the common table (`common.ts`):
 * waiting for payment, cancelled, refused, expired, under review, completed.
 */
export interface Kind {
  icon: string;
  /** The page's title: `Home visit`. The market's name of the kind where it is absent. */
  title?: (view: View) => string;
  /** Names of the steps, the same for both sides or not. */
  steps: (view: View) => string[];
  stages: Partial<Record<State, Partial<Record<Side, Stage>>>>;
  /** What the kind shows below the person card: codes, items, a parcel's photo. */
  part?: Component<{ view: View }>;
  /** Lines among the facts (when, where): `[label, value]`. */
  facts?: (view: View) => [string, Children][];
  /** Whether customers rate the service, too, and what it is called. */
  rates?: (view: View) => string | undefined;
  /** Of a kind without a provider: what the first stars are for. */
  ratesFirst?: (view: View) => string;
  /** What a provider who is asked has to know, in the offer that covers the screen; common lines stand without it. */
  offer?: Component<{ view: View }>;
  /** Whether the provider may bring somebody along, who is named at the acceptance. */
  companion?: boolean;
}
