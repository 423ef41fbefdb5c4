import type { Dispatch } from "api-types";
import type { Component } from "preact";
import { ruleInWords } from "../../../app/features/care/calendar";
import { api } from "../../../shared/api/client";
import { dayAndTime, dayName } from "../../../shared/format";
import { useGet } from "../../../shared/resources";
import { Badge, Loaded, Money, Note } from "../../../shared/ui";
import { reasonOf } from "../../../shared/words";
import { clockOf } from "../../../shared/zone";
import { Act, Code, Detail, Facts, OrderLink, Part, Table, When, Who } from "../../kit";
import { words } from "./words";

export const nameOf = (series: Dispatch.Series): string => series.parcel?.name ?? series.services.map((one) => one.name).join(", ");
const tagsOf = (id: string): string[] => ["series", `series:${id}`, "desk", "orders"];

const VisitActs: Component<{ series: Dispatch.Series; visit: Dispatch.SeriesVisit }> = ({ series, visit }) => {
  if (visit.state !== "planned" && visit.state !== "refused") return null;
  const place = { id: series.series, day: visit.day };
  const day = dayName(visit.day);
  return (
    <div class="act-buttons">
      <Act small label={words.move} title={words.moveTitle(day)} tags={tagsOf(series.series)}
        fields={[{ name: "day", label: words.day, kind: "date", initial: visit.day }, { name: "time", label: words.time, kind: "time", initial: clockOf(visit.startsAt, series.timeZone) }]}
        send={(values) => api.put("/dispatch/v1/series/{id}/visits/{day}", place, { day: String(values.day), time: String(values.time) })} />
      <Act small label={words.skip} title={words.skipTitle(day)} text={words.skipText} tags={tagsOf(series.series)}
        send={(_, key) => api.post("/dispatch/v1/series/{id}/visits/{day}/skip", place, undefined, { key })} />
    </div>
  );
};

const Visits: Component<{ series: Dispatch.Series }> = ({ series }) => {
  const visits = useGet("/dispatch/v1/series/{id}/visits", { id: series.series, limit: 60 }, [`series:${series.series}`]);
  return (
    <Part title={words.visits}>
      <Loaded of={visits}>
        {({ items }) => items.length === 0 ? <p class="muted">{words.noVisits}</p> : (
          <Table label={words.visits} items={items} idOf={(visit) => visit.day} columns={[
            { id: "day", label: words.day, cell: (visit) => <>{dayName(visit.day)} {clockOf(visit.startsAt, series.timeZone)}</> },
            { id: "state", label: words.state, cell: (visit) => <>{visit.orderStateText ?? visit.stateText} {reasonOf(visit.reasonText, visit.reason)}</> },
            { id: "order", label: words.order, cell: (visit) => visit.order && <OrderLink order={visit.order} /> },
            { id: "acts", label: "", end: true, cell: (visit) => <VisitActs series={series} visit={visit} /> },
          ]} />
        )}
      </Loaded>
    </Part>
  );
};

/** One series with its visits, as its customer has it. */
export const Series: Component<{ series: string }> = ({ series: id }) => {
  const found = useGet("/dispatch/v1/series/{id}", { id }, [`series:${id}`]);
  return (
    <Detail title={found.value ? <bdi>{nameOf(found.value)}</bdi> : words.title} back="series" of={found} acts={(series) => series.state === "active" && (
      <>
        {series.payment !== "wallet" && (
          <Act label={words.byWallet} title={words.byWallet} text={words.byWalletText} tags={tagsOf(id)} send={() => api.put("/dispatch/v1/series/{id}/payment", { id }, { payment: "wallet" })} />
        )}
        <Act label={words.end} title={words.end} text={words.endText} look="danger" tags={tagsOf(id)} send={(_, key) => api.post("/dispatch/v1/series/{id}/end", { id }, undefined, { key })} />
      </>
    )}>
      {(series) => (
        <>
          {series.needsAgreement && <Note tone="warning">{words.needs}</Note>}
          <Facts of={[
            [words.state, <Badge tone={series.state === "active" ? "good" : "neutral"}>{series.stateText}</Badge>], [words.rule, ruleInWords(series.rule, series.time)], [words.first, dayName(series.firstDay)],
            [words.place, series.description && <bdi>{series.description}</bdi>], [words.payment, series.paymentText], [words.price, series.price && <Money value={series.price} />], [words.agreed, series.agreedPrice && <Money value={series.agreedPrice} />],
            [words.made, <When at={series.createdAt} exact />], [words.ended, series.endedAt && <When at={series.endedAt} exact />], [words.reason, reasonOf(series.endedReasonText, series.endedReason)],
            [words.customer, series.customer && <Who {...series.customer} />], [words.next, series.nextAt && dayAndTime(series.nextAt)], [words.series, <Code value={series.series} />],
          ]} />
          <Visits series={series} />
        </>
      )}
    </Detail>
  );
};
