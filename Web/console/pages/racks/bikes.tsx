import type { Dispatch } from "api-types";
import type { Component } from "preact";
import { api } from "../../../shared/api/client";
import { useMarket } from "../../../shared/market";
import { useGet } from "../../../shared/resources";
import { usePlace } from "../../../shared/router";
import { Badge, Empty, Loaded } from "../../../shared/ui";
import { momentOf } from "../../../shared/zone";
import { Act, Code, OrderLink, Page, Table, When, Who } from "../../kit";
import { words } from "./words";

const tags = ["bikes", "racks"];

const BikeActs: Component<{ bike: Dispatch.BikeOut }> = ({ bike }) => {
  const { market } = usePlace();
  const zone = useMarket().market?.timeZone ?? "UTC";
  const racks = useGet("/dispatch/v1/markets/{market}/racks", { market, limit: 100 }, ["racks"]).value?.items ?? [];
  const say = (state: "broken" | "lost" | "repaired", note: unknown, key: string): Promise<unknown> =>
    api.post("/dispatch/v1/markets/{market}/bikes/{bike}/state", { market, bike: bike.bike }, { state, note: String(note ?? "").trim() || undefined }, { key });
  const note = { name: "note", label: words.note, kind: "long", optional: true, maximum: 500 } as const;
  return (
    <div class="act-buttons">
      {bike.state !== "good" && <Act small label={words.repaired} title={words.repaired} tags={tags} fields={[note]} send={(values, key) => say("repaired", values.note, key)} />}
      {bike.state !== "broken" && <Act small label={words.broken} title={words.broken} tags={tags} fields={[note]} send={(values, key) => say("broken", values.note, key)} />}
      {bike.state !== "lost" && <Act small label={words.lost} title={words.lost} text={words.lostText} look="danger" tags={tags} fields={[note]} send={(values, key) => say("lost", values.note, key)} />}
      <Act small label={words.bringBack} title={words.bringBack} text={words.bringBackText} tags={tags}
        fields={[{ name: "rack", label: words.rack, kind: "select", options: racks.map((rack) => ({ value: rack.rack, label: rack.name })) }, { name: "at", label: words.endedAt, kind: "datetime-local", optional: true }]}
        send={(values, key) => api.post("/dispatch/v1/markets/{market}/bikes/{bike}/return", { market, bike: bike.bike }, {
          rack: String(values.rack), at: values.at ? momentOf(String(values.at).slice(0, 10), String(values.at).slice(11, 16), zone).toISOString() : undefined,
        }, { key })} />
    </div>
  );
};

/** Bikes that are with somebody, the longest first, and those that are broken or lost. */
const Bikes: Component = () => {
  const { market } = usePlace();
  const bikes = useGet("/dispatch/v1/markets/{market}/bikes/out", { market }, tags);
  return (
    <Page title={words.bikes}>
      <Loaded of={bikes}>
        {({ items }) => items.length === 0 ? <Empty icon="bike" title={words.noBikes} /> : (
          <Table label={words.bikes} items={items} idOf={(bike) => bike.bike} columns={[
            { id: "bike", label: words.bike, cell: (bike) => <Code value={bike.bike} /> },
            { id: "type", label: words.type, cell: (bike) => bike.typeName ?? bike.type },
            { id: "state", label: words.state, cell: (bike) => <><Badge tone={bike.state === "good" ? "neutral" : "danger"}>{bike.stateText}</Badge>{bike.isOverdue && <> <Badge tone="warning">{words.overdue}</Badge></>}</> },
            { id: "who", label: words.who, cell: (bike) => bike.customer && <Who {...bike.customer} /> },
            { id: "order", label: words.order, wide: true, cell: (bike) => bike.order && <OrderLink order={bike.order} /> },
            { id: "since", label: words.since, cell: (bike) => <When at={bike.since} /> },
            { id: "note", label: words.note, wide: true, cell: (bike) => bike.note && <bdi>{bike.note}</bdi> },
            { id: "acts", label: "", end: true, cell: (bike) => <BikeActs bike={bike} /> },
          ]} />
        )}
      </Loaded>
    </Page>
  );
};

export default Bikes;
