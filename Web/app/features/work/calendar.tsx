import type { Component } from "preact";
import { day, dayKey } from "../../../shared/format";
import { useMarket } from "../../../shared/market";
import { useGet } from "../../../shared/resources";
import { go, to } from "../../../shared/router";
import { Badge, Button, Empty, IconButton, List, Loaded, Row, Screen } from "../../../shared/ui";
import { clockOf, momentOf } from "../../../shared/zone";
import type { ScreenProperties } from "../../features";
import { plusDays } from "../care/calendar";
import { orderTitle, StateBadge } from "../order/parts/row";
import type { Order } from "../order/view";
import { isAsked } from "./asked";
import { words } from "./words";

const startOf = (order: Order): number => new Date(order.scheduledAt ?? order.requestedAt).getTime();

/** What is to be done on a day, by its time; requests that wait for an answer stand first. The address holds the day. */
const Calendar: Component<ScreenProperties> = ({ query }) => {
  const { id, market } = useMarket();
  const today = dayKey(Date.now());
  const chosen = /^\d{4}-\d\d-\d\d$/.test(query.get("day") ?? "") ? (query.get("day") as string) : today;
  const zone = market?.timeZone ?? "UTC";
  const found = useGet("/dispatch/v1/markets/{market}/calendar", market ? {
    market: id, from: momentOf(chosen, "00:00", zone).toISOString(), to: momentOf(plusDays(chosen, 1), "00:00", zone).toISOString(), limit: 200,
  } : null, ["orders"]);
  const show = (next: string): void => go(next === today ? "calendar" : `calendar?day=${next}`, { replace: true });
  const noon = momentOf(chosen, "12:00", zone);
  return (
    <Screen title={words.calendar} end={chosen !== today && <Button kind="quiet" onTap={() => show(today)}>{words.today}</Button>}>
      <div class="line between day-bar">
        <IconButton icon="arrow" mirrored label={words.previous} onTap={() => show(plusDays(chosen, -1))} />
        <label class="day-choice"><span class="hidden">{words.day}</span><strong>{chosen === today ? words.today : ""} {day(noon)}</strong>
          <input type="date" value={chosen} onChange={(event) => { const { value } = event.target as HTMLInputElement; if (value) show(value); }} /></label>
        <span class="turned"><IconButton icon="arrow" mirrored label={words.following} onTap={() => show(plusDays(chosen, 1))} /></span>
      </div>
      <Loaded of={found}>
        {(page) => {
          const items = [...page.items].sort((a, b) => Number(isAsked(b)) - Number(isAsked(a)) || startOf(a) - startOf(b));
          return items.length === 0 ? <Empty icon="calendar" title={words.freeDay} /> : (
            <List label={words.calendar}>
              {items.map((order) => (
                <Row key={order.order} start={<span class="hour numbers">{clockOf(startOf(order), zone)}</span>} title={<bdi>{order.care?.relative?.name ?? order.customer.name}</bdi>}
                  detail={<>{orderTitle(order)}<span class="row-state">{isAsked(order) ? <Badge tone="warning">{words.toAnswerFirst}</Badge> : <StateBadge order={order} />}</span></>}
                  href={to(`o/${order.order}`)} />
              ))}
            </List>
          );
        }}
      </Loaded>
    </Screen>
  );
};
export default Calendar;
