import type { Dispatch } from "api-types";
import type { Component } from "preact";
import { distance, duration } from "../../../shared/format";
import type { ChosenPlace } from "../../../shared/map/place-picker";
import { Money } from "../../../shared/ui";
import { words } from "./words";

/** A place as an order is told it. */
export const described = (place: ChosenPlace): { latitude: number; longitude: number; description: string } =>
  ({ latitude: place.latitude, longitude: place.longitude, description: place.name.slice(0, 500) });

/** What the price is made of. */
export const Fare: Component<{ quote: Dispatch.Quote }> = ({ quote }) => {
  const { currency } = quote.price;
  const parts: [string, number][] = [
    [words.base, quote.fare.base], [words.distance(distance(quote.metres)), quote.fare.distance], [words.time(duration(quote.seconds)), quote.fare.time],
    [words.toMinimum, quote.fare.toMinimum], [words.surgePart, quote.fare.surge], [words.discount, -quote.discount.amount],
  ];
  return (
    <details class="fold">
      <summary>{words.parts}</summary>
      <dl class="facts">
        {parts.filter(([, amount]) => amount !== 0).map(([name, amount]) => <><dt>{name}</dt><dd><Money value={{ amount, currency }} /></dd></>)}
        <dt>{words.total}</dt><dd><b><Money value={quote.toPay} /></b></dd>
      </dl>
    </details>
  );
};
