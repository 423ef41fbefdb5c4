import type { Admin, Dispatch } from "api-types";
import type { Component } from "preact";
import { dayAndTime } from "../../../shared/format";
import { useGet } from "../../../shared/resources";
import { to } from "../../../shared/router";
import { Badge, Money } from "../../../shared/ui";
import { reasonOf } from "../../../shared/words";
import { Code, Detail, Facts, Fold, Part, When, Who } from "../../kit";
import { isOpen, partyName, stateName, stateTone } from "../../states";
import { Cancel, DeskActs } from "./desk-acts";
import { Matching, Trail } from "./explained";
import { OrderMoney, PayByDesk, Refund } from "./money";
import { Talks } from "./talks";
import { words } from "./words";

const Place: Component<{ of: Dispatch.OrderPlace }> = ({ of }) => (
  <>{of.description && <><bdi>{of.description}</bdi> · </>}<bdi dir="ltr">{of.latitude.toFixed(5)}, {of.longitude.toFixed(5)}</bdi></>
);

const About: Component<{ order: Admin.OrderDetails; more?: Dispatch.Order }> = ({ order, more }) => (
  <Facts of={[
    [words.state, <><Badge tone={stateTone(order.state)}>{stateName(order.state)}</Badge> {order.label}</>], [words.kind, order.kindName],
    [words.customer, <Who {...order.customer} />], [words.provider, order.provider && <Who {...order.provider} />], [words.merchant, order.merchant && <Who {...order.merchant} />],
    [words.companion, order.companion && <bdi>{order.companion}</bdi>],
    [words.services, order.services.length > 0 && order.services.map((one) => one.name).join(", ")],
    [words.scheduled, more?.scheduledAt && dayAndTime(more.scheduledAt)], [words.proposed, more?.proposedAt && dayAndTime(more.proposedAt)],
    [words.place, more && <Place of={more.place} />], [words.destination, more?.destination && <Place of={more.destination} />],
    [words.deadline, order.deadline && isOpen(order.state) && <When at={order.deadline} />], [words.by, partyName(order.by)],
    [words.reason, reasonOf(order.reasonText, order.reason) && <bdi>{reasonOf(order.reasonText, order.reason)}</bdi>],
    [words.confirmed, order.confirmedBy.length > 0 && order.confirmedBy.map(partyName).join(", ")],
    [words.report, order.report && <Code value={order.report} href={to(`reports/${order.report}`)} />],
    [words.outcome, order.outcome && <><bdi>{order.outcome.reason}</bdi>, {words.customer} <Money value={order.outcome.toCustomer} /></>],
    [words.made, <When at={order.requestedAt} exact />], [words.order, <Code value={order.order} />],
  ]} />
);

const Reviews: Component<{ of: Admin.OrderDetails["ratings"] }> = ({ of }) => (
  <Part title={words.reviews}>
    {of.length === 0 ? <p class="muted">{words.noReviews}</p> : of.map((one) => (
      <div key={one.by}>
        <p>{partyName(one.by)}: {words.stars(one.stars)}{one.serviceStars ? `, ${words.serviceStars(one.serviceStars)}` : ""} · <When at={one.at} /></p>
        {one.comment && <p class="words" dir="auto">{one.comment}</p>}
      </div>
    ))}
  </Part>
);

const Timeline: Component<{ of: Admin.OrderDetails["timeline"] }> = ({ of }) => (
  <Part title={words.timeline}>
    <ol class="timeline">
      {of.map((one, index) => (
        <li key={index}>
          <When at={one.at} exact />
          <span>{one.text}{one.by && <span class="muted"> · {partyName(one.by)}</span>}{reasonOf(one.reasonText, one.reason) && <p class="words" dir="auto">{reasonOf(one.reasonText, one.reason)}</p>}</span>
        </li>
      ))}
    </ol>
  </Part>
);

/** One order over all services: parties, money, reviews, and what happened, with what an admin can do at this moment. */
export const Order: Component<{ order: string; back: string }> = ({ order: id, back }) => {
  const found = useGet("/admin/v1/orders/{order}", { order: id }, [`order:${id}`]);
  const more = useGet("/dispatch/v1/orders/{id}", { id }, [`order:${id}`]).value;
  return (
    <Detail title={found.value ? `${found.value.kindName}: ${stateName(found.value.state)}` : words.order} back={back} of={found} acts={(order) => (
      <>
        {more && <DeskActs order={more} />}
        {order.kind === "homeCare" && order.state === "pending" && <PayByDesk order={order} />}
        {order.payment.state === "captured" && <Refund order={order} />}
        {isOpen(order.state) && order.state !== "disputed" && <Cancel order={id} />}
      </>
    )}>
      {(order) => (
        <>
          <About order={order} more={more} />
          <OrderMoney order={order} />
          <Reviews of={order.ratings} />
          <Talks market={order.market} order={id} />
          <Timeline of={order.timeline} />
          <Fold title={words.matching}>{() => <Matching order={id} />}</Fold>
          <Fold title={words.trail}>{() => <Trail order={id} />}</Fold>
        </>
      )}
    </Detail>
  );
};
