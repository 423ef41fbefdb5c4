import type { Admin } from "api-types";
import type { Component } from "preact";
import { api } from "../../../shared/api/client";
import { useGet } from "../../../shared/resources";
import { usePlace } from "../../../shared/router";
import { Badge, Empty, Loaded } from "../../../shared/ui";
import { isolate } from "../../../shared/words";
import { Act, ActField, ActValues, optionsOf, Page, Table, When } from "../../kit";
import { faults, words } from "./words";

type Feed = Admin.Feed;
const path = "/admin/v1/markets/{market}/feeds";
const tags = ["feeds"];
const groups = (): Record<string, string> => ({ local: words.local, world: words.world });
const languages = (): Record<string, string> => ({ ar: words.arabic, en: words.english });
const named = (names: object, key: string): string => (names as Record<string, string>)[key] ?? key;

const fieldsOf = (feed?: Feed): ActField[] => [
  { name: "url", label: words.url, hint: words.urlHint, initial: feed?.url ?? "", maximum: 500 },
  { name: "group", label: words.group, kind: "choice", initial: feed?.group ?? "local", options: optionsOf(groups()) },
  { name: "language", label: words.language, kind: "choice", initial: feed?.language ?? "ar", options: optionsOf(languages()) },
  { name: "publishes", label: words.found, kind: "choice", initial: feed?.publishes ? "yes" : "no", options: optionsOf({ no: words.drafts, yes: words.publishes }) },
  { name: "active", label: words.active, kind: "check", initial: feed?.active ?? true },
];
const textOf = (values: ActValues): Admin.FeedText => ({
  url: String(values.url).trim(), group: values.group as Admin.FeedText["group"], language: String(values.language),
  publishes: values.publishes === "yes", active: Boolean(values.active),
});

const Acts: Component<{ of: Feed; market: string }> = ({ of, market }) => (
  <div class="act-buttons">
    <Act small label={words.change} title={words.changeTitle} tags={tags} fields={fieldsOf(of)}
      send={(values) => api.put(`${path}/{id}`, { market, id: of.id }, textOf(values), { seen: of.version })} />
    <Act small label={words.remove} title={words.removeTitle(isolate(of.url))} text={words.removeText} look="danger" tags={tags}
      send={() => api.delete(`${path}/{id}`, { market, id: of.id })} />
  </div>
);

const State: Component<{ of: Feed }> = ({ of }) => {
  if (!of.active) return <Badge tone="neutral">{words.paused}</Badge>;
  if (of.fault) return <Badge tone="danger">{named(faults, of.fault)}</Badge>;
  return <Badge tone={of.checkedAt ? "good" : "neutral"}>{of.checkedAt ? words.good : words.waiting}</Badge>;
};

/** Where a market's news come from. */
const Feeds: Component = () => {
  const { market } = usePlace();
  const found = useGet(path, { market }, tags);
  return (
    <Page title={words.title} intro={words.intro}
      acts={<Act label={words.add} title={words.add} look="primary" tags={tags} fields={fieldsOf()} send={(typed, key) => api.post(path, { market }, textOf(typed), { key })} />}>
      <Loaded of={found}>
        {({ items }) => items.length === 0 ? <Empty icon="search" title={words.none} /> : (
          <Table label={words.title} items={items} idOf={(one) => one.id}
            columns={[
              { id: "url", label: words.url, cell: (one) => <bdi dir="ltr">{one.url}</bdi> },
              { id: "group", label: words.group, cell: (one) => named(groups(), one.group) },
              { id: "language", label: words.language, cell: (one) => named(languages(), one.language) },
              { id: "found", label: words.found, wide: true, cell: (one) => (one.publishes ? words.publishes : words.drafts) },
              { id: "state", label: words.state, cell: (one) => <State of={one} /> },
              { id: "checked", label: words.checked, wide: true, cell: (one) => <When at={one.checkedAt} /> },
              { id: "acts", label: "", end: true, cell: (one) => <Acts of={one} market={market} /> },
            ]} />
        )}
      </Loaded>
    </Page>
  );
};

export default Feeds;
