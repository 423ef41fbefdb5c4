import type { Admin } from "api-types";
import type { Component } from "preact";
import type { GetParameters } from "../../../shared/api/client";
import { date, dayAndTime } from "../../../shared/format";
import { marketName } from "../../../shared/market";
import { usePlace } from "../../../shared/router";
import { Icon } from "../../../shared/ui";
import { choiceFilter, Csv, dayFilters, Filter, Fold, List, Page, setFilter, shortId, useFilters, useMoments, Who } from "../../kit";
import { settingName } from "../settings/words";
import { actionName, actions, words } from "./words";

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

/** Narrows the list to what has the same as this row: nobody types the id of somebody. */
const Only: Component<{ filter: string; value: string; label: string }> = ({ filter, value, label }) => (
  <button type="button" class="icon-button tiny" aria-label={label} title={label} onClick={() => setFilter(filter, value)}><Icon name="search" size={14} /></button>
);

const subjectText = (entry: Admin.AuditEntry): string =>
  isId(entry.subject) ? shortId(entry.subject) : entry.action.startsWith("setting.") ? settingName(entry.subject) : entry.subject;

const Audit: Component = () => {
  const { market } = usePlace();
  const filters: Filter[] = [
    choiceFilter("market", words.market, { all: words.all }, words.here),
    choiceFilter("action", words.action, Object.fromEntries(Object.keys(actions).map((action) => [action, actionName(action)]))),
    { name: "by", label: words.byId, kind: "text", placeholder: words.id }, { name: "about", label: words.aboutId, kind: "text", placeholder: words.id },
    { name: "subject", label: words.subject, kind: "text", placeholder: words.idOrKey }, { name: "text", label: words.text, kind: "text" },
    ...dayFilters(), choiceFilter("viewed", words.show, { true: words.looks }, words.acts),
  ];
  const values = useFilters(filters);
  const parameters = {
    market: values.market === "all" ? undefined : market, action: values.action, by: values.by, about: values.about, subject: values.subject, text: values.text,
    viewed: values.viewed === "true" ? true : undefined, ...useMoments(values),
  } as GetParameters<"/admin/v1/audit">;
  return (
    <Page title={words.title} intro={words.intro}>
      <List title={words.title} path="/admin/v1/audit" parameters={parameters} filters={filters} values={values} tags={["audit"]} empty={words.none}
        end={<Csv path="/admin/v1/audit.csv" parameters={parameters as GetParameters<"/admin/v1/audit.csv">} name="audit" />} idOf={(entry) => entry.id}
        columns={[
          { id: "at", label: words.at, cell: (entry) => <time dateTime={entry.at} title={date(entry.at)}>{dayAndTime(entry.at)}</time> },
          { id: "by", label: words.by, cell: (entry) => (entry.by ? <><Who {...entry.by} /> <Only filter="by" value={entry.by.account} label={words.onlyBy} /></> : words.platform) },
          { id: "action", label: words.action, cell: (entry) => actionName(entry.action) },
          { id: "about", label: words.about, cell: (entry) => entry.about && <><Who {...entry.about} /> <Only filter="about" value={entry.about.account} label={words.onlyAbout} /></> },
          { id: "subject", label: words.subject, cell: (entry) => <><bdi title={entry.subject}>{subjectText(entry)}</bdi> <Only filter="subject" value={entry.subject} label={words.onlySubject} /></> },
          { id: "changes", label: `${words.before}, ${words.after}`, cell: (entry) => ((entry.before ?? entry.after) ? <Fold title={words.after}>{() => <Changes of={entry} />}</Fold> : null) },
          { id: "market", label: words.market, wide: true, cell: (entry) => marketName(entry.market) },
        ]} />
    </Page>
  );
};

export default Audit;
