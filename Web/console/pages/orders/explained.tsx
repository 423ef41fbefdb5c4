import type { Dispatch } from "api-types";
import type { Component } from "preact";
import { useState } from "preact";
import { distance, duration } from "../../../shared/format";
import { MapView } from "../../../shared/map";
import { useGet } from "../../../shared/resources";
import { Button, Empty, Loaded } from "../../../shared/ui";
import { Code, Fold, Table, When, Who } from "../../kit";
import { words } from "./words";

const rules = (): Record<string, string> => ({
  banned: words.ruleBanned, unverified: words.ruleUnverified, unsubscribed: words.ruleUnsubscribed, unavailable: words.ruleUnavailable, busy: words.ruleBusy,
  "on-offer": words.ruleOnOffer, "out-of-hours": words.ruleHours, stale: words.ruleStale, "other-kind": words.ruleKind, "own-order": words.ruleOwn, declined: words.ruleDeclined,
  "search-over": words.ruleOver, "out-of-radius": words.ruleRadius, "not-among-nearest": words.ruleNearest, unreachable: words.ruleUnreachable, "shift-over": words.ruleShift, "not-among-first": words.ruleFirst,
});

type Round = Dispatch.MatchingReasons["rounds"][number];

/** How an offer ended, in words. */
const ends = (): Record<string, string> => ({
  accept: words.endAccepted, decline: words.endDeclined, offerWindowOver: words.endSilent, searchWindowOver: words.endSearch, cancel: words.endCancelled, providerBanned: words.endBanned,
  customerBanned: words.endCancelled, giveUp: words.endGaveUp,
});

const seconds = (value: number): string => (value === 0 ? "–" : `${value < 0 ? "−" : ""}${duration(Math.abs(value))}`);

/** Who was weighed, and by what: the way, the wait before it, the stars that lack. The lowest sum is asked first. */
const Weighed: Component<{ round: Round }> = ({ round }) => (
  <Table label={words.weighed} items={round.weighed} idOf={(one) => one.provider} columns={[
    { id: "who", label: words.provider, cell: (one) => <Who account={one.provider} /> },
    { id: "way", label: words.byWay, end: true, cell: (one) => seconds(one.addedSeconds ?? one.travelSeconds) },
    { id: "wait", label: words.byWait, end: true, cell: (one) => seconds(one.fairnessSeconds) },
    { id: "stars", label: words.byStars, end: true, cell: (one) => seconds(one.ratingSeconds) },
    { id: "sum", label: words.bySum, end: true, cell: (one) => seconds(one.cost) },
  ]} />
);

const LeftOut: Component<{ round: Round }> = ({ round }) => (
  <dl class="facts-list">
    {round.leftOut.map((one) => (
      <div key={one.rule}>
        <dt>{rules()[one.rule] ?? one.rule} ({one.count})</dt>
        <dd>{one.providers.map((provider, index) => <span key={provider}>{index > 0 && ", "}<Who account={provider} /></span>)}{one.providers.length < one.count && " …"}</dd>
      </div>
    ))}
  </dl>
);

const RoundLine: Component<{ round: Round }> = ({ round }) => (
  <li>
    <When at={round.at} exact />
    <div>
      <strong>{words[round.outcome]}</strong>{round.provider && <> <Who account={round.provider} /></>}
      <p class="muted">{words.radius} {distance(round.radiusMetres)}, {words.weighed} {round.weighedCount}
        {round.leftOut.map((one) => ` · ${rules()[one.rule] ?? one.rule} ${one.count}`).join("")}</p>
      {round.weighed.length > 0 && <Fold title={words.weighed}>{() => <Weighed round={round} />}</Fold>}
      {round.leftOut.length > 0 && <Fold title={words.leftOut}>{() => <LeftOut round={round} />}</Fold>}
    </div>
  </li>
);

/** Why an order was offered to whom: each search with whom it weighed and whom it left out, in words. */
export const Matching: Component<{ order: string }> = ({ order }) => {
  const found = useGet("/dispatch/v1/orders/{id}/matching", { id: order, limit: 100 }, []);
  return (
    <>
      <p class="muted">{words.looked}</p>
      <Loaded of={found}>
        {({ rounds, offers }) => rounds.length + offers.length === 0 ? <p>{words.noMatching}</p> : (
          <>
            <ul class="timeline">{rounds.map((round) => <RoundLine key={`${round.at} ${round.stage}`} round={round} />)}</ul>
            {offers.length > 0 && <p><strong>{words.offers}</strong></p>}
            <ul class="timeline">{offers.map((offer) => <li key={`${offer.provider} ${offer.offeredAt}`}><When at={offer.offeredAt} exact /><span><Who account={offer.provider} /> {offer.outcome ? ends()[offer.outcome] ?? words.endOther : words.endOpen}</span></li>)}</ul>
          </>
        )}
      </Loaded>
    </>
  );
};

/** Where the provider was, on a map and as a list beside it, for whoever decides about the order. */
export const Trail: Component<{ order: string }> = ({ order }) => {
  const [cursors, setCursors] = useState<string[]>([]);
  const found = useGet("/dispatch/v1/orders/{id}/trail", { id: order, limit: 100, cursor: cursors[cursors.length - 1] }, []);
  return (
    <>
      <p class="muted">{words.looked}</p>
      <Loaded of={found}>
        {({ items, next }) => items.length === 0 ? <Empty icon="map" title={words.noTrail} /> : (
          <>
            <MapView centre={items[0]} line={items} fits markers={[{ id: "first", at: items[0], label: words.made, look: "here" }, { id: "last", at: items[items.length - 1], label: words.trail, look: "moving", icon: "person" }]} />
            <p>{words.positions(items.length)} · <When at={items[0].at} exact /> – <When at={items[items.length - 1].at} exact /> · <Code value={items[0].provider} /></p>
            {next && <Button kind="second" small onTap={() => setCursors([...cursors, next])}>{words.more}</Button>}
          </>
        )}
      </Loaded>
    </>
  );
};
