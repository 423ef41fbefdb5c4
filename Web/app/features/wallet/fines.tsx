import type { Component } from "preact";
import { date, money } from "../../../shared/format";
import { More, usePages } from "../../../shared/pages";
import { to } from "../../../shared/router";
import { Badge, Button, Empty, List, Loaded, Money, Note, Row, Screen } from "../../../shared/ui";
import type { PartProperties } from "./index";
import { words } from "./words";

/** Fines for late cancellations: what is owed, until when, and those that were paid. */
export const Fines: Component<PartProperties> = () => {
  const fines = usePages("/wallet/v1/fines", { limit: 20 }, ["wallet"], (one) => one.order);
  const owed = fines.first.value?.owed ?? [];
  const items = fines.items ?? [];
  return (
    <Screen title={words.fines} back="wallet" footer={owed.length > 0 && <Button icon="plus" href={to("wallet/top-up")}>{words.payFines(owed.map((one) => money(one)).join(" · "))}</Button>}>
      <Loaded of={fines.first}>
        {() => (items.length === 0 ? <Empty icon="check" title={words.noFines} /> : (
          <>
            {items.some((one) => one.blocks) && <Note tone="danger">{words.finesBlock}</Note>}
            <List>
              {items.map((one) => (
                <Row key={one.order} icon="warning" title={<Money value={one.amount} />} href={to(`o/${one.order}`, one.market)}
                  detail={one.state === "paid" ? one.paidAt && words.finePaid(date(one.paidAt)) : one.isOverdue ? words.fineOverdue(date(one.dueAt)) : words.fineDue(date(one.dueAt))}
                  end={<Badge tone={one.state === "paid" ? "good" : one.isOverdue ? "danger" : "warning"}>{one.state === "paid" ? words.paid : words.unpaid}</Badge>} />
              ))}
            </List>
            <More of={fines} />
            {owed.length > 0 && <p class="hint">{words.finesText}</p>}
          </>
        ))}
      </Loaded>
    </Screen>
  );
};
