import type { Dispatch } from "api-types";
import type { Component } from "preact";
import { api } from "../../../shared/api/client";
import { date, dayAndTime, dayKey, time } from "../../../shared/format";
import { useMarket } from "../../../shared/market";
import { useGet } from "../../../shared/resources";
import { go, to, usePlace } from "../../../shared/router";
import { Badge, Button, Loaded, toast } from "../../../shared/ui";
import { isolate, localized } from "../../../shared/words";
import { momentOf } from "../../../shared/zone";
import { openAct, Page, Part, setFilter, Split } from "../../kit";
import type { PageProperties } from "../../pages";
import { stateName, stateTone } from "../../states";
import { askPartner, orderTags } from "../orders/desk-acts";
import { Order } from "../orders/one";
import { words } from "./words";

interface Range {
  from: string;
  to: string;
}

const step = (day: string, days: number): string => new Date(Date.parse(`${day}T12:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10);
const timeOf = (visit: Dispatch.Order): string => time(visit.scheduledAt ?? visit.requestedAt);
const nameOf = (visit: Dispatch.Order): string => `${timeOf(visit)} ${isolate(visit.customer.name)}`;

/** A visit as one line: opens beside the desk, is dragged to a partner, or assigned by the key `a`. */
const Visit: Component<{ visit: Dispatch.Order; open?: string; search: string }> = ({ visit, open, search }) => {
  const isFree = visit.state === "requested";
  return (
    <li class="visit" draggable={isFree} onDragStart={(event: DragEvent) => event.dataTransfer?.setData("text/plain", visit.order)}>
      <a href={to(`desk/${visit.order}`) + search} data-row data-stays aria-current={visit.order === open ? "true" : undefined}
        onKeyDown={(event) => { if (event.key === "a" && isFree) { event.stopPropagation(); void askPartner(visit.order); } }}>
        <strong>{timeOf(visit)}</strong> <bdi>{visit.customer.name}</bdi>
        <span class="muted"> {visit.services.map((one) => localized(one.name)).join(", ")}</span>
      </a>
      <span class="line">
        {visit.care?.isLate && <Badge tone="danger">{words.late}</Badge>}
        {visit.care?.preferred && isFree && <Badge>{words.preferred}</Badge>}
        {!isFree && <Badge tone={stateTone(visit.state)}>{stateName(visit.state)}</Badge>}
      </span>
    </li>
  );
};

/** Asks whether this partner is to go: after a visit was dropped on a calendar. */
function askFor(visit: Dispatch.Order, partner: { account: string; name: string }): void {
  openAct({
    label: words.assign, title: words.assignTo(nameOf(visit), isolate(partner.name)), tags: orderTags(visit.order),
    send: (_, key) => api.post("/dispatch/v1/orders/{id}/assignment", { id: visit.order }, { provider: partner.account }, { key }),
  });
}

/** Whether this partner may do all of a visit. */
const mayDo = (partner: Dispatch.PartnerDays, visit: Dispatch.Order | undefined): boolean =>
  partner.isVerified && (!visit || visit.services.every((one) => partner.services.includes(one.service)));

const Calendars: Component<{ visits: Dispatch.Order[]; range: Range; open?: string; search: string }> = ({ visits, range, open, search }) => {
  const { market } = usePlace();
  const found = useGet("/dispatch/v1/markets/{market}/desk/partners", { market, ...range }, ["desk", "orders", "people"]);
  return (
    <Part title={words.calendars}>
      <Loaded of={found}>
        {({ items, hasMore }) => items.length === 0 ? <p class="muted">{words.noPartners}</p> : (
          <>
            {hasMore && <p class="muted">{words.moreVisits}</p>}
            <div class="calendars" role="region" aria-label={words.calendars} tabIndex={0}>
              {items.map((partner) => (
                <section key={partner.account} class="calendar" aria-label={partner.name} onDragOver={(event: DragEvent) => { if (partner.isVerified) event.preventDefault(); }}
                  onDrop={(event: DragEvent) => {
                    event.preventDefault();
                    const visit = visits.find((one) => one.order === event.dataTransfer?.getData("text/plain"));
                    if (!visit) return;
                    if (mayDo(partner, visit)) askFor(visit, partner);
                    else toast(words.mayNot(isolate(partner.name)));
                  }}>
                  <h3><a href={to(`people/${partner.account}`)}><bdi>{partner.name}</bdi></a> {!partner.isVerified && <Badge tone="warning">{words.notVerified}</Badge>}</h3>
                  {partner.titleName && <p class="muted">{partner.titleName}</p>}
                  {partner.visits.length === 0 ? <p class="muted">{words.free}</p> : <ul>{partner.visits.map((visit) => <Visit key={visit.order} visit={visit} open={open} search={search} />)}</ul>}
                </section>
              ))}
            </div>
          </>
        )}
      </Loaded>
    </Part>
  );
};

const Day: Component<{ visits: Dispatch.Order[]; range: Range; open?: string; search: string }> = ({ visits, range, open, search }) => {
  const unassigned = visits.filter((visit) => visit.state === "requested");
  const moves = visits.filter((visit) => visit.proposedAt);
  return (
    <>
      <div class="columns-2">
        <Part title={`${words.unassigned} (${unassigned.length})`}>
          {unassigned.length === 0 ? <p class="muted">{words.noUnassigned}</p> : <><p class="muted">{words.hint}</p><ul class="visits" data-rows>{unassigned.map((visit) => <Visit key={visit.order} visit={visit} open={open} search={search} />)}</ul></>}
        </Part>
        <Part title={words.moves}>
          {moves.length === 0 ? <p class="muted">{words.noMoves}</p> : (
            <ul class="visits" data-rows>{moves.map((visit) => (
              <li key={visit.order} class="visit"><a href={to(`desk/${visit.order}`) + search} data-row data-stays>{nameOf(visit)}</a> <span>{words.asked(dayAndTime(visit.proposedAt as string))}</span></li>
            ))}</ul>
          )}
        </Part>
      </div>
      <Calendars visits={visits} range={range} open={open} search={search} />
    </>
  );
};

/** The visits of a day: those that nobody does yet, and the partners' calendars side by side. */
const Desk: Component<PageProperties> = ({ params, query }) => {
  const { market } = usePlace();
  const { market: terms } = useMarket();
  const today = dayKey(Date.now());
  const day = query.get("day") ?? today;
  const zone = terms?.timeZone;
  const range = zone ? { from: momentOf(day, "00:00", zone).toISOString(), to: momentOf(step(day, 1), "00:00", zone).toISOString() } : undefined;
  const visits = useGet("/dispatch/v1/markets/{market}/desk", range ? { market, ...range, limit: 500 } : null, ["desk", "orders"]);
  const search = query.toString() ? `?${query.toString()}` : "";
  return (
    <Page title={words.title} acts={<Button kind="second" onTap={() => go("caller")}>{words.order}</Button>}>
      <div class="filters" role="group" aria-label={words.day}>
        <Button kind="second" small onTap={() => setFilter("day", step(day, -1))}>{words.yesterday}</Button>
        <div class="filter"><label for="day">{words.day}</label><input id="day" type="date" value={day} onChange={(event) => setFilter("day", (event.target as HTMLInputElement).value)} /></div>
        <Button kind="second" small onTap={() => setFilter("day", step(day, 1))}>{words.tomorrow}</Button>
        {day !== today && <Button kind="quiet" small onTap={() => setFilter("day", "")}>{words.today}</Button>}
        <strong>{date(`${day}T12:00:00Z`)}</strong>
      </div>
      <Split detail={params.id && <Order key={params.id} order={params.id} back="desk" />}>
        <Loaded of={visits}>{({ items }) => range && <Day visits={items} range={range} open={params.id} search={search} />}</Loaded>
      </Split>
    </Page>
  );
};

export default Desk;
