import type { Component } from "preact";
import { useState } from "preact";
import { textOf } from "../../../shared/api/problem";
import { ago, money, number } from "../../../shared/format";
import { tellIfGone } from "../../../shared/gone";
import { useMarket } from "../../../shared/market";
import { invalidate, useGet } from "../../../shared/resources";
import { to } from "../../../shared/router";
import { ask, Button, Card, Countdown, Note } from "../../../shared/ui";
import { stageOf, viewOf } from "../order/kind";
import { dishesOf } from "../order/kinds/btnc/dishes";
import food from "../order/kinds/food";
import { Car } from "../order/parts/person";
import type { Act, Order } from "../order/view";

/** An order in the kitchen: what, how it stands, and its next step as a button. */
export const OrderCard: Component<{ order: Order }> = ({ order }) => {
  const { market } = useMarket();
  const [open, setOpen] = useState<Act | undefined>(undefined);
  const [state, setState] = useState<{ busy?: string; error?: unknown }>({});
  const view = viewOf(order, market);
  // Lists tell no car: the one who comes for the meal is read by itself.
  const isFetched = order.state === "accepted" || order.state === "arrived";
  const car = useGet("/dispatch/v1/orders/{id}", isFetched ? { id: order.order } : null, [`order:${order.order}`]).value?.car;
  const stage = stageOf(food, view);
  const acts = (stage.acts ?? []).filter((act) => act.kind !== "quiet" && (act.when?.(view) ?? true));
  const hint = stage.hint?.(view);
  const run = async (act: Act): Promise<void> => {
    if (act.sheet) return setOpen(act);
    const asked = act.asks?.(view);
    if (asked && !(await ask({ ...asked, yes: asked.yes ?? act.label(view) }))) return;
    setState({ busy: act.id });
    try {
      await act.run?.(view);
      setState({});
    } catch (error) {
      setState({ error });
      tellIfGone(error);
      invalidate("orders");
    }
  };
  const isNew = order.state === "requested";
  const Open = open?.sheet;
  return (
    <Card tone={isNew ? "accent" : undefined}>
      <div class="stack tight">
        <div class="line between">
          <a class="row-text order-link" href={to(`o/${order.order}`)}>
            <b>{stage.says(view)}</b>
            <span class="muted small">{ago(order.requestedAt)} · {money(order.total)}{hint && <> · {hint}</>}</span>
          </a>
          {isNew && order.deadline && <Countdown until={order.deadline} seconds={market?.settings.acceptWindowSeconds ?? 120} size={64} onEnd={() => setTimeout(() => invalidate("orders"), 1500)} />}
        </div>
        <ul>{dishesOf(order).map((item) => <li key={item.item}><b class="numbers">{number(item.count)} ×</b> <bdi>{item.name}</bdi></li>)}</ul>
        {car && <Car car={car} />}
        {state.error ? <Note tone="warning" live>{textOf(state.error)}</Note> : null}
        {acts.length > 0 && (
          <div class="actions in-row">
            {acts.map((act, index) => (
              <Button key={act.id} kind={act.kind ?? (index === 0 ? "primary" : "second")} icon={act.icon} busy={state.busy === act.id} onTap={() => void run(act)}>{act.label(view)}</Button>
            ))}
          </div>
        )}
      </div>
      {Open && <Open view={view} onClose={() => setOpen(undefined)} />}
    </Card>
  );
};
