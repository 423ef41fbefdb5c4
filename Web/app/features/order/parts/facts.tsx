import type { Children, Component } from "preact";
import { dayAndTime } from "../../../../shared/format";
import { Section } from "../../../../shared/ui";
import { reasonOf } from "../../../../shared/words";
import type { Kind, View } from "../view";
import { words } from "../words";

const describe = (place: { description?: string; latitude: number; longitude: number }): Children =>
  place.description ? <bdi>{place.description}</bdi> : (
    <a href={`https://www.openstreetmap.org/?mlat=${place.latitude}&mlon=${place.longitude}#map=16/${place.latitude}/${place.longitude}`} target="_blank" rel="noreferrer">{words.onMap}</a>
  );

/** When, where, and how it ended. */
export const Facts: Component<{ view: View; kind: Kind }> = ({ view, kind }) => {
  const { order } = view;
  const lines: [string, Children][] = [];
  if (order.scheduledAt || !order.ended) lines.push([words.when, order.scheduledAt ? dayAndTime(order.scheduledAt) : words.now]);
  if (order.destination) lines.push([words.from, describe(order.place)], [words.to, describe(order.destination)]);
  else lines.push([words.where, describe(order.place)]);
  lines.push(...(kind.facts?.(view) ?? []));
  if (order.companion) lines.push([words.companion, <bdi>{order.companion}</bdi>]);
  const reason = reasonOf(order.reasonText, order.reason);
  if (reason) lines.push([words.reason, <bdi>{reason}</bdi>]);
  if (order.review?.decidedAt) lines.push([words.decision, <bdi>{order.review.text}</bdi>]);
  if (order.outcome) lines.push([words.decisionReason, <bdi>{order.outcome.reason}</bdi>]);
  return (
    <Section title={words.details}>
      <dl class="facts card">{lines.map(([label, value]) => <><dt key={`${label}-t`}>{label}</dt><dd key={`${label}-d`}>{value}</dd></>)}</dl>
    </Section>
  );
};
