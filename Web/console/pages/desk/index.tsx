import type { Dispatch } from "api-types";
import type { Component } from "preact";
import { api } from "../../../shared/api/client";
import { date, dayAndTime, dayKey, time } from "../../../shared/format";
import { useMarket } from "../../../shared/market";
import { useGet } from "../../../shared/resources";
import { go, to, usePlace } from "../../../shared/router";
import { Badge, Button, Loaded } from "../../../shared/ui";
import { isolate, localized } from "../../../shared/words";
import { momentOf } from "../../../shared/zone";
import { openAct, Page, Part, setFilter, Split } from "../../kit";
import type { PageProperties } from "../../pages";
import { stateName, stateTone } from "../../states";
import { askPartner, orderTags } from "../orders/desk-acts";
import { Order } from "../orders/one";
import { words } from "./words";

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

const Calendars: Component<{ visits: Dispatch.Order[]; open?: string; search: string }> = ({ visits, open, search }) => {
  const { market } = usePlace();
  const people = useGet("/identity/v1/markets/{market}/people", { market, role: "provider", banned: false, limit: 100 }, ["people"]);
  const known = (people.value?.items ?? []).filter((one) => one.roles.some((role) => role.role === "provider" && role.state === "verified"));
  const others = visits.filter((visit) => visit.provider && !known.some((one) => one.account === visit.provider?.account)).map((visit) => ({ account: visit.provider?.account ?? "", name: visit.provider?.name ?? "" }));
  const partners = [...known, ...others.filter((one, index) => others.findIndex((other) => other.account === one.account) === index)];
  return (
    <Part title={words.calendars}>
      {partners.length === 0 ? <p class="muted">{words.noPartners}</p> : (
        <div class="calendars" role="region" aria-label={words.calendars} tabIndex={0}>
          {partners.map((partner) => {
            const own = visits.filter((visit) => visit.provider?.account === partner.account);
            return (
              <section key={partner.account} class="calendar" aria-label={partner.name} onDragOver={(event: DragEvent) => event.preventDefault()}
                onDrop={(event: DragEvent) => {
                  event.preventDefault();
                  const visit = visits.find((one) => one.order === event.dataTransfer?.getData("text/plain"));
                  if (visit) askFor(visit, partner);
                }}>
                <h3><a href={to(`people/${partner.account}`)}><bdi>{partner.name}</bdi></a></h3>
                {own.length === 0 ? <p class="muted">{words.free}</p> : <ul>{own.map((visit) => <Visit key={visit.order} visit={visit} open={open} search={search} />)}</ul>}
              </section>
            );
          })}
        </div>
      )}
    </Part>
  );
};

const Day: Component<{ visits: Dispatch.Order[]; open?: string; search: string }> = ({ visits, open, search }) => {
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
      <Calendars visits={visits} open={open} search={search} />
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
  const visits = useGet("/dispatch/v1/markets/{market}/desk", zone ? { market, from: momentOf(day, "00:00", zone).toISOString(), to: momentOf(step(day, 1), "00:00", zone).toISOString(), limit: 500 } : null, ["desk", "orders"]);
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
        <Loaded of={visits}>{({ items }) => <Day visits={items} open={params.id} search={search} />}</Loaded>
      </Split>
    </Page>
  );
};

export default Desk;
