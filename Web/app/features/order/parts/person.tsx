import type { Component } from "preact";
import { useGet } from "../../../../shared/resources";
import { Avatar, Card, Icon, IconButton, Rating } from "../../../../shared/ui";
import type { View } from "../view";
import { words } from "../words";

/** The driver's car, to be known by in the street: make, model, colour and plate. */
export const Car: Component<{ car: NonNullable<View["order"]["car"]> }> = ({ car }) => (
  <div class="line car" role="group" aria-label={words.car}>
    <Icon name="car" />
    <span class="row-text">
      <bdi>{[car.maker, car.model].filter(Boolean).join(" ")}</bdi>
      {car.colourName && <span class="row-detail">{car.colourName}</span>}
    </span>
    <bdi class="plate" dir="ltr">{car.plate}</bdi>
  </div>
);

/** The other one: picture, name, title, stars; and the number, where the market opens it. */
export const PersonCard: Component<{ view: View }> = ({ view }) => {
  const { order, side } = view;
  // A restaurant deals with the driver; whose order it is stands among its facts.
  const party = side === "provider" ? order.customer : order.provider;
  const standing = side === "provider" ? order.customerRating : order.providerRating;
  const person = useGet("/identity/v1/markets/{market}/people/{account}", party?.account ? { market: order.market, account: party.account } : null, [`order:${order.order}`]);
  if (!party) return null;
  const known = person.value;
  const role = side !== "provider" ? known?.roles.find((one) => one.role === "provider") : undefined;
  const titleName = side === "provider" ? undefined : order.provider?.titleName ?? role?.titleName;
  return (
    <Card>
      <div class="person">
        <Avatar name={party.name} src={side === "provider" ? known?.avatar : order.provider?.avatar} size={56} />
        <span class="row-text">
          <span class="row-title"><bdi>{party.name}</bdi></span>
          {titleName && <span class="row-detail">{titleName}</span>}
          {standing.average !== undefined ? <Rating average={standing.average} count={standing.count} /> : <span class="row-detail">{words.noRating}</span>}
        </span>
        {known?.mobile && <IconButton icon="phone" label={words.call} href={`tel:${known.mobile}`} />}
      </div>
      {order.car && side !== "provider" && <Car car={order.car} />}
    </Card>
  );
};
