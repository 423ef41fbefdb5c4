import type { Children, Component } from "preact";
import { useEffect } from "preact";
import { GetParameters, GetPath } from "../../../shared/api/client";
import { dayAndTime } from "../../../shared/format";
import type { ItemOf } from "../../../shared/pages";
import { useGet } from "../../../shared/resources";
import { to, usePlace } from "../../../shared/router";
import { Button, Empty, Money, Skeleton } from "../../../shared/ui";
import { Count, countAgain, countText, useCounts } from "../../counts";
import { Page, Part, shortId, When } from "../../kit";
import { titles } from "../../titles";
import { words } from "./words";

const shown = 5;

/** The first of what waits on one page, with a link to each and to all. */
function Waiting<P extends GetPath>({ count, page, path, parameters, line }: {
  count: Count; page: keyof typeof titles; path: P; parameters: GetParameters<P>; line: (item: ItemOf<P>) => { id: string; href: string; at?: string; text: Children };
}): JSX.Element | null {
  const counts = useCounts();
  const waiting = counts[count] ?? 0;
  const found = useGet(path, waiting > 0 ? ({ ...parameters, limit: shown } as GetParameters<P>) : null, [page]);
  if (waiting === 0) return null;
  const items = ((found.value as { items?: ItemOf<P>[] } | undefined)?.items ?? []).map(line);
  return (
    <Part title={titles[page]} end={<a href={to(page)}>{words.all(countText(waiting))}</a>}>
      <ul class="visits" data-rows>
        {items.map((item) => <li key={item.id} class="visit"><a href={to(item.href)} data-row>{item.text}</a>{item.at && <span class="muted"><When at={item.at} /></span>}</li>)}
      </ul>
    </Part>
  );
}

/** Visits whose partner asks for another time: they stand on the desk with the time that is asked for. */
const TimeChanges: Component<{ market: string }> = ({ market }) => {
  const desk = useGet("/dispatch/v1/markets/{market}/desk", market === "edencare" ? { market, limit: 500 } : null, ["desk"]);
  const asked = (desk.value?.items ?? []).filter((visit) => visit.proposedAt);
  if (asked.length === 0) return null;
  return (
    <Part title={words.time}>
      <ul class="visits" data-rows>{asked.map((visit) => <li key={visit.order} class="visit"><a href={to(`desk/${visit.order}`)} data-row><bdi>{visit.provider?.name}</bdi> {words.asks(dayAndTime(visit.proposedAt as string))}</a></li>)}</ul>
    </Part>
  );
};

/** The counts of what stands on this page. */
const decided: Count[] = ["papers", "reports", "cashouts", "desk", "timeChanges", "families", "approvals", "professions", "inquiries", "messageReports", "removals"];

const Decisions: Component = () => {
  const { market } = usePlace();
  const counts = useCounts();
  useEffect(() => countAgain(market), [market]);
  const isNothing = Object.keys(counts).length > 0 && decided.every((count) => !counts[count]);
  return (
    <Page title={words.title} intro={words.intro} acts={<Button kind="second" icon="refresh" onTap={() => countAgain(market)}>{words.again}</Button>}>
      {Object.keys(counts).length === 0 && <Skeleton rows={4} />}
      {isNothing && <Empty icon="check" title={words.nothing} />}
      <div class="columns-2">
        <Waiting count="papers" page="papers" path="/identity/v1/markets/{market}/providers" parameters={{ market, state: "waiting" }} line={(one) => ({ id: one.account + one.title, href: `papers/${one.account}`, at: one.requestedAt, text: <><bdi>{one.name}</bdi> {one.titleName}</> })} />
        <Waiting count="reports" page="reports" path="/admin/v1/markets/{market}/reports" parameters={{ market, state: "open" }} line={(one) => ({ id: one.report, href: `reports/${one.report}`, at: one.at, text: <>{one.reasonText} <bdi>{one.person.name}</bdi></> })} />
        <Waiting count="cashouts" page="cashouts" path="/wallet/v1/markets/{market}/cash-outs" parameters={{ market, state: "waiting" }} line={(one) => ({ id: one.cashOut, href: `cashouts/${one.cashOut}`, at: one.requestedAt, text: <><Money value={one.amount} /> <bdi>{one.destination.holder}</bdi></> })} />
        <Waiting count="desk" page="desk" path="/dispatch/v1/markets/{market}/desk" parameters={{ market, state: "requested" }} line={(one) => ({ id: one.order, href: `desk/${one.order}`, text: <>{one.scheduledAt && dayAndTime(one.scheduledAt)} <bdi>{one.customer.name}</bdi></> })} />
        <TimeChanges market={market} />
        <Waiting count="families" page="families" path="/identity/v1/markets/{market}/links" parameters={{ market, state: "agreed" }} line={(one) => ({ id: one.link, href: "families", at: one.askedAt, text: <><bdi>{one.from.name}</bdi> – <bdi>{one.to.name}</bdi></> })} />
        <Waiting count="approvals" page="approvals" path="/wallet/v1/markets/{market}/approvals" parameters={{ market, state: "waiting" }} line={(one) => ({ id: one.approval, href: `approvals/${one.approval}`, at: one.begunAt, text: <><Money value={one.amount} /> {shortId(one.subject)}</> })} />
        <Waiting count="professions" page="professions" path="/identity/v1/markets/{market}/title-questions" parameters={{ market }} line={(one) => ({ id: one.account, href: "professions", at: one.askedAt, text: <><bdi>{one.name}</bdi> {one.jobTitle}</> })} />
        <Waiting count="inquiries" page="inquiries" path="/notifications/v1/markets/{market}/inquiries" parameters={{ market, answered: "false" }} line={(one) => ({ id: one.inquiry, href: `inquiries/${one.inquiry}`, at: one.lastAt, text: <bdi>{one.title}</bdi> })} />
        <Waiting count="messageReports" page="messages" path="/notifications/v1/markets/{market}/message-reports" parameters={{ market }} line={(one) => ({ id: one.report, href: `messages/${one.report}`, at: one.madeAt, text: <bdi>{one.reason}</bdi> })} />
        <Waiting count="removals" page="removals" path="/identity/v1/markets/{market}/removals" parameters={{ market }} line={(one) => ({ id: one.account, href: "removals", at: one.askedAt, text: <bdi>{one.name}</bdi> })} />
      </div>
    </Page>
  );
};

export default Decisions;
