import type { Component } from "preact";
import type { Dispatch } from "api-types";
import { distance, money } from "../../../shared/format";
import { Photo } from "../../../shared/photo";
import { to } from "../../../shared/router";
import { Badge, Rating, Row } from "../../../shared/ui";
import { weight } from "./weight";
import { words } from "./board-words";

export const payOf = (order: Dispatch.Order): string => (order.total.amount ? money(order.total) : words.favour);

/** How far away it is, how far it goes, how heavy it is, and what is left as a deposit. */
export const lineOf = (order: Dispatch.Order, away?: string): string => [
  away, words.way(distance(order.parcel?.metres ?? 0)), weight(order.parcel?.grams ?? 0),
  order.deposit && order.deposit.amount > 0 ? words.depositOf(money(order.deposit)) : "",
].filter(Boolean).join(" · ");

/** A parcel in a list of the board. */
export const ItemRow: Component<{ order: Dispatch.Order; away?: string }> = ({ order, away }) => (
  <Row start={<Photo id={order.parcel?.photo} icon="parcel" />} href={to(`o/${order.order}`)}
    title={<bdi>{order.parcel?.name}</bdi>}
    detail={<>{lineOf(order, away)}<br /><bdi>{order.customer.name}</bdi>{order.customerRating.average !== undefined && <> <Rating average={order.customerRating.average} count={order.customerRating.count} /></>}</>}
    end={<span class="stack tight"><strong>{payOf(order)}</strong>{order.parcel?.isFragile && <Badge tone="warning">{words.fragileMark}</Badge>}</span>} />
);
