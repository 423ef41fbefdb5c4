import type { Admin } from "api-types";
import type { Component } from "preact";
import { api } from "../../../shared/api/client";
import { minorUnits, money } from "../../../shared/format";
import { useGet } from "../../../shared/resources";
import { to } from "../../../shared/router";
import { Badge, Money } from "../../../shared/ui";
import { Act, ActField, Code, Detail, Facts, kitWords, optionsOf, Part, reasonField, When, Who } from "../../kit";
import { partyName, stateName, stateTone } from "../../states";
import { words } from "./words";

const tagsOf = (details: Admin.ReportDetails): string[] => ["reports", `report:${details.report.report}`, "orders", `order:${details.report.order}`];

/** Who gets the order's money: one side, or each a part that together are the price. */
const Decide: Component<{ details: Admin.ReportDetails; order: Admin.MarketOrder }> = ({ details, order }) => {
  const { total } = order;
  const toCustomer = (values: Record<string, string | boolean>): number | undefined => minorUnits(String(values.toCustomer), total.currency);
  const fields: ActField[] = [
    { name: "decision", label: words.what, kind: "choice", options: optionsOf({ payProvider: words.payProvider, returnToCustomer: words.returnToCustomer, split: words.split }) },
    { name: "toCustomer", label: `${words.toCustomer} (${total.currency})`, kind: "amount", hint: words.rest, when: (values) => values.decision === "split" },
    // Only parcels have one.
    ...(order.kind === "parcel" ? [{ name: "deposit", label: words.deposit, kind: "choice", optional: true, options: optionsOf({ returnToProvider: words.depositBack, giveToCustomer: words.depositGiven }) } as ActField] : []),
    reasonField(),
  ];
  return (
    <Act label={words.decide} title={words.decideTitle(money(total))} text={words.decideText} look="primary" fields={fields} tags={tagsOf(details)}
      check={(values) => {
        const sum = toCustomer(values);
        return { toCustomer: values.decision === "split" && (sum === undefined ? kitWords.badAmount : sum > total.amount && words.splitSum(money(total))) };
      }}
      send={(values, key) => {
        const customer = toCustomer(values) ?? 0;
        return api.post("/admin/v1/reports/{report}/decision", { report: details.report.report }, {
          decision: values.decision as Admin.ReportDecision, reason: String(values.reason), deposit: (values.deposit || undefined) as "returnToProvider" | undefined,
          ...(values.decision === "split" ? { toCustomer: { ...total, amount: customer }, toProvider: { ...total, amount: total.amount - customer } } : {}),
        }, { key });
      }} />
  );
};

const Answer: Component<{ details: Admin.ReportDetails }> = ({ details }) => (
  <Act label={words.giveAnswer} title={words.giveAnswer} text={words.answerText} look="primary" tags={tagsOf(details)}
    fields={[{ name: "answer", label: words.reply, kind: "long", maximum: 1000 }]}
    send={(values, key) => api.post("/admin/v1/reports/{report}/answer", { report: details.report.report }, { answer: String(values.answer) }, { key })} />
);

const OrderOf: Component<{ order: Admin.MarketOrder }> = ({ order }) => (
  <Part title={words.order} end={<Code value={order.order} href={to(`orders/${order.order}`)} />}>
    <Facts of={[
      [words.orderState, <><Badge tone={stateTone(order.state)}>{stateName(order.state)}</Badge> {order.label}</>],
      [words.customer, <Who {...order.customer} />], [words.provider, order.provider && <Who {...order.provider} />], [words.merchant, order.merchant && <Who {...order.merchant} />],
      [words.total, <Money value={order.total} />], [words.payment, order.payment.stateText],
    ]} />
  </Part>
);

const Words: Component<{ of: Admin.MarketReport[] }> = ({ of }) => (
  <Part title={words.sides}>
    {of.map((one) => (
      <div key={one.report}>
        <p><strong>{partyName(one.by)}</strong> <Who {...one.person} /> · <When at={one.at} /></p>
        <p>{one.reasonText}</p>
        {one.note ? <p class="words" dir="auto">{one.note}</p> : <p class="muted">{words.noWords}</p>}
      </div>
    ))}
  </Part>
);

const Outcome: Component<{ report: Admin.MarketReport; currency?: string }> = ({ report, currency }) => (
  <Part title={words.outcome}>
    <Facts of={[
      [words.what, report.decisionText ?? report.decision],
      [words.toCustomer, report.toCustomer !== undefined && currency && <Money value={{ amount: report.toCustomer, currency }} />],
      [words.reply, report.reply && <bdi>{report.reply}</bdi>], [words.closedBy, report.closedBy && <Who {...report.closedBy} />], [words.closedAt, report.closedAt && <When at={report.closedAt} exact />],
    ]} />
  </Part>
);

/** One report: both sides' words, the order, and the decision or the answer. */
export const Report: Component<{ report: string }> = ({ report: id }) => {
  const found = useGet("/admin/v1/reports/{report}", { report: id }, [`report:${id}`]);
  return (
    <Detail title={found.value?.report.reasonText ?? words.report} back="reports" of={found} acts={(details) => details.report.state === "open" && (
      details.report.awaitsDecision && details.order ? <Decide details={details} order={details.order} /> : <Answer details={details} />
    )}>
      {(details) => (
        <>
          {details.report.state !== "open" && <Outcome report={details.report} currency={details.order?.total.currency} />}
          <Words of={details.words.length > 0 ? details.words : [details.report]} />
          {details.order && <OrderOf order={details.order} />}
        </>
      )}
    </Detail>
  );
};
