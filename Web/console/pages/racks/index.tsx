import type { Dispatch } from "api-types";
import type { Component } from "preact";
import { useState } from "preact";
import { api } from "../../../shared/api/client";
import { latinDigits, number } from "../../../shared/format";
import { MapView } from "../../../shared/map";
import { useGet } from "../../../shared/resources";
import { to, usePlace } from "../../../shared/router";
import { Badge, Button, Empty, Loaded, Rating, Sheet } from "../../../shared/ui";
import { isolate } from "../../../shared/words";
import { Act, ActField, ActValues, Code, Detail, Facts, kitWords, optionsOf, Page, Part, Split, Table } from "../../kit";
import type { PageProperties } from "../../pages";
import { words } from "./words";

const tags = ["racks"];
const degrees = (text: unknown, most: number): number | undefined => {
  const value = Number(latinDigits(String(text)).trim());
  return String(text).trim() && Number.isFinite(value) && Math.abs(value) <= most ? value : undefined;
};
const fieldsOf = (rack?: Dispatch.Rack): ActField[] => [
  { name: "name", label: words.name, initial: rack?.names.en ?? "", maximum: 100 }, { name: "arabicName", label: words.arabicName, initial: rack?.names.ar ?? "", maximum: 100, optional: true },
  { name: "latitude", label: words.latitude, kind: "amount", initial: rack ? String(rack.latitude) : "" }, { name: "longitude", label: words.longitude, kind: "amount", initial: rack ? String(rack.longitude) : "" },
  { name: "active", label: words.state, kind: "choice", initial: String(rack?.active ?? true), options: optionsOf({ true: words.active, false: words.inactive }) },
];
const check = (values: ActValues) => ({ latitude: degrees(values.latitude, 90) === undefined && words.badPlace, longitude: degrees(values.longitude, 180) === undefined && words.badPlace });
const bodyOf = (values: ActValues) => ({
  name: String(values.name), arabicName: String(values.arabicName).trim() || undefined, latitude: degrees(values.latitude, 90) ?? 0, longitude: degrees(values.longitude, 180) ?? 0, active: values.active === "true",
});

/** A key is shown once: it stays until somebody says that it is kept. */
const Key: Component<{ name: string; value: string; onClose: () => void }> = ({ name, value, onClose }) => (
  <Sheet title={words.keyShown(isolate(name))} onClose={onClose} locked>
    <p>{words.keyText}</p><code class="key" dir="ltr">{value}</code><Button onTap={onClose}>{words.seen}</Button>
  </Sheet>
);

type ShowKey = (name: string, key: string) => void;

const RackActs: Component<{ rack: Dispatch.Rack; onKey: ShowKey }> = ({ rack, onKey }) => {
  const { market } = usePlace();
  return (
    <>
      <Act label={words.change} title={words.change} tags={tags} fields={fieldsOf(rack)} check={check} send={(values) => api.put("/dispatch/v1/markets/{market}/racks/{id}", { market, id: rack.rack }, bodyOf(values))} />
      <Act label={words.newKey} title={words.newKeyTitle(isolate(rack.name))} text={words.newKeyText} look="danger" tags={tags}
        send={(_, key) => api.post("/dispatch/v1/markets/{market}/racks/{id}/key", { market, id: rack.rack }, undefined, { key })} done={(answer: { key: string }) => onKey(rack.name, answer.key)} />
    </>
  );
};

const Stock: Component<{ rack: Dispatch.Rack }> = ({ rack }) => {
  const { market } = usePlace();
  return (
    <Part title={words.free}>
      <Table label={words.free} items={Object.keys(rack.bikeNames)} idOf={(type) => type} columns={[
        { id: "type", label: words.type, cell: (type) => rack.bikeNames[type] },
        { id: "count", label: words.count, end: true, cell: (type) => number(rack.bikes[type] ?? 0) },
        {
          id: "acts", label: "", end: true, cell: (type) => (
            <Act small label={words.stock} title={words.stockTitle(rack.bikeNames[type], isolate(rack.name))} tags={tags} fields={[{ name: "count", label: words.count, kind: "digits", initial: String(rack.bikes[type] ?? 0) }]}
              check={(values) => ({ count: !/^\d{1,4}$/.test(latinDigits(String(values.count))) && words.badCount })}
              send={(values) => api.put("/dispatch/v1/markets/{market}/racks/{id}/bikes/{type}", { market, id: rack.rack, type: type as "city" }, { count: Number(latinDigits(String(values.count))) })} />
          ),
        },
      ]} />
    </Part>
  );
};

const Racks: Component<PageProperties> = ({ params }) => {
  const { market } = usePlace();
  // The list has no cursor of the usual kind; a market's racks fit on a page.
  const racks = useGet("/dispatch/v1/markets/{market}/racks", { market, limit: 100 }, tags);
  const [shown, setShown] = useState<{ name: string; value: string } | undefined>(undefined);
  const onKey: ShowKey = (name, value) => setShown({ name, value });
  const open = racks.value?.items.find((rack) => rack.rack === params.id);
  return (
    <Page title={words.title} acts={(
      <Act label={words.add} title={words.add} text={words.addText} look="primary" tags={tags} fields={fieldsOf()} check={check}
        send={(values, key) => api.post("/dispatch/v1/markets/{market}/racks", { market }, bodyOf(values), { key })} done={(rack: Dispatch.Rack) => { if (rack.key) onKey(rack.name, rack.key); }} />
    )}>
      <Split detail={params.id && (
        <Detail title={open ? <bdi>{open.name}</bdi> : words.rack} back="racks" of={racks} acts={() => open && <RackActs rack={open} onKey={onKey} />}>
          {() => !open ? <Empty icon="bike" title={kitWords.nothing} /> : (
            <>
              <Facts of={[[words.state, open.active ? words.active : words.inactive], [words.place, <bdi dir="ltr">{open.latitude}, {open.longitude}</bdi>], [words.rating, open.ratings > 0 && <Rating average={open.rating ?? 0} count={open.ratings} />], [words.rack, <Code value={open.rack} />]]} />
              <MapView centre={open} markers={[{ id: open.rack, at: open, label: open.name, icon: "bike" }]} />
              <Stock rack={open} />
            </>
          )}
        </Detail>
      )}>
        <Loaded of={racks}>
          {({ items }) => items.length === 0 ? <Empty icon="bike" title={words.none} /> : (
            <div data-rows>
              <Table label={words.racks} items={items} idOf={(rack) => rack.rack} columns={[
                { id: "rack", label: words.rack, cell: (rack) => <a href={to(`racks/${rack.rack}`)} data-row data-stays aria-current={rack.rack === params.id ? "true" : undefined}><bdi>{rack.name}</bdi></a> },
                { id: "state", label: words.state, cell: (rack) => <Badge tone={rack.active ? "good" : "neutral"}>{rack.active ? words.active : words.inactive}</Badge> },
                { id: "free", label: words.free, cell: (rack) => Object.entries(rack.bikes).map(([type, count]) => `${rack.bikeNames[type] ?? type} ${number(count)}`).join(", ") },
              ]} />
            </div>
          )}
        </Loaded>
      </Split>
      {shown && <Key {...shown} onClose={() => setShown(undefined)} />}
    </Page>
  );
};

export default Racks;
