import type { Admin } from "api-types";
import type { Component } from "preact";
import { date, dayAndTime } from "../../../shared/format";
import { marketName } from "../../../shared/market";
import { usePlace } from "../../../shared/router";
import { choiceFilter, Filter, Fold, List, Page, shortId, useFilters, Who } from "../../kit";
import { settingName } from "../settings/words";
import { actionName, words } from "./words";

const isLook = (entry: Admin.AuditEntry): boolean => /\.(viewed|exported)$/.test(entry.action);
const isId = (text: string): boolean => /^[0-9a-f-]{36}$/i.test(text);
const textOf = (value: unknown): string => (value === undefined || value === null ? "–" : typeof value === "object" ? JSON.stringify(value) : String(value));

/** What was before, and what is after, by the names of what changed. */
const Changes: Component<{ of: Admin.AuditEntry }> = ({ of: { before, after } }) => {
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  return (
    <div class="diff">
      <strong aria-hidden="true" /><strong>{words.before}</strong><strong>{words.after}</strong>
      {names.map((name) => <><span class="muted">{name}</span><bdi>{textOf(before?.[name])}</bdi><bdi>{textOf(after?.[name])}</bdi></>)}
    </div>
  );
};

const Audit: Component = () => {
  const { market } = usePlace();
  const filters: Filter[] = [choiceFilter("market", words.market, { all: words.all }, words.here), choiceFilter("show", words.show, { looks: words.looks }, words.acts)];
  const values = useFilters(filters);
  return (
    <Page title={words.title} intro={words.intro}>
      <List title={words.title} path="/admin/v1/audit" parameters={{ market: values.market === "all" ? undefined : market }} filters={filters} values={values} tags={["audit"]} empty={words.none} limit={100}
        keep={(entry) => values.show === "looks" || !isLook(entry)} idOf={(entry) => entry.id}
        columns={[
          { id: "at", label: words.at, cell: (entry) => <time dateTime={entry.at} title={date(entry.at)}>{dayAndTime(entry.at)}</time> },
          { id: "by", label: words.by, cell: (entry) => (entry.by ? <Who {...entry.by} /> : words.platform) },
          { id: "action", label: words.action, cell: (entry) => actionName(entry.action) },
          { id: "about", label: words.about, cell: (entry) => entry.about && <Who {...entry.about} /> },
          { id: "subject", label: words.subject, cell: (entry) => <bdi title={entry.subject}>{isId(entry.subject) ? shortId(entry.subject) : entry.action === "setting.changed" ? settingName(entry.subject) : entry.subject}</bdi> },
          { id: "changes", label: `${words.before}, ${words.after}`, cell: (entry) => ((entry.before ?? entry.after) ? <Fold title={words.after}>{() => <Changes of={entry} />}</Fold> : null) },
          { id: "market", label: words.market, wide: true, cell: (entry) => marketName(entry.market) },
        ]} />
    </Page>
  );
};

export default Audit;
