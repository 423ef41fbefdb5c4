import type { Admin } from "api-types";
import type { Component } from "preact";
import { api } from "../../../shared/api/client";
import { textOf } from "../../../shared/api/problem";
import { useMarket } from "../../../shared/market";
import { useGet } from "../../../shared/resources";
import { usePlace } from "../../../shared/router";
import { Button, Loaded, toast } from "../../../shared/ui";
import { isolate, localized } from "../../../shared/words";
import { momentOf } from "../../../shared/zone";
import type { ActField, ActValues } from "../../kit";
import { Act, Facts, optionsOf, Part, readAgain, Table, When, Who } from "../../kit";
import { useMay } from "../../rights";
import { Picture } from "./picture";
import { groupNames, languageNames, words } from "./words";

export type Entry = Admin.ContentEntry;
export type View = Admin.ContentSectionView;
export type Section = "brief" | "about" | "privacy" | "terms" | "faq" | "support" | "news" | "fatawa" | "rituals" | "contacts";
export const sections: Section[] = ["brief", "about", "privacy", "terms", "faq", "support", "news", "fatawa", "rituals", "contacts"];
export const tags = ["content"];
const path = "/admin/v1/markets/{market}/content/{section}/{id}";

export const named = (names: object, key: string): string => (names as Record<string, string>)[key] ?? key;
export const nameOf = (entry: { title: Record<string, string> }): string => localized(entry.title);

/** What titles and texts are called: a question has an answer, a contact a name and a place. */
function labels(section: string): [string, string] {
  if (section === "faq" || section === "fatawa") return [words.question, words.answer];
  return section === "contacts" ? [words.name, words.place] : [words.heading, words.body];
}

export function fieldsOf(view: View, entry?: Entry): ActField[] {
  const [title, body] = labels(view.section);
  const fields = view.languages.map((language): ActField => ({
    name: `title.${language}`, label: `${title} · ${named(languageNames, language)}`, half: true, maximum: 200, initial: entry?.title[language] ?? "",
  }));
  for (const language of view.languages) {
    fields.push({
      name: `body.${language}`, label: `${body} · ${named(languageNames, language)}`, half: true, kind: "long", maximum: 10_000,
      initial: entry?.body[language] ?? "", hint: words.bodyHint, optional: view.section === "contacts",
    });
  }
  if (view.groups.length > 0) {
    fields.push({ name: "group", label: words.group, kind: "select", initial: entry?.group ?? view.groups[0], options: optionsOf(Object.fromEntries(view.groups.map((one) => [one, named(groupNames, one)]))) });
  }
  if (entry?.image) {
    for (const language of view.languages) {
      fields.push({ name: `alt.${language}`, label: `${words.alt} · ${named(languageNames, language)}`, half: true, maximum: 300, initial: entry.alt?.[language] ?? "", hint: words.altHint });
    }
  }
  if (view.section === "contacts") fields.push({ name: "number", label: words.number, kind: "tel", maximum: 30, initial: entry?.number ?? "" });
  return fields;
}

/** The text as it was typed. Languages that the form does not ask for stay as they are. */
export function bodyOf(view: View, values: ActValues, entry?: Entry): Admin.ContentText {
  const typed = (name: "title" | "body" | "alt"): Record<string, string> => ({
    ...entry?.[name], ...Object.fromEntries(view.languages.map((language) => [language, String(values[`${name}.${language}`] ?? "")])),
  });
  return {
    title: typed("title"), body: typed("body"), ...(entry?.image && { alt: typed("alt") }),
    ...(view.groups.length > 0 && { group: String(values.group) as Admin.ContentText["group"] }),
    ...(view.section === "contacts" && { number: String(values.number) }),
  };
}

const parametersOf = (market: string, view: View, entry: Entry): { market: string; section: Section; id: string } =>
  ({ market, section: view.section as Section, id: entry.id });

export const Add: Component<{ view: View }> = ({ view }) => {
  const { market } = usePlace();
  return (
    <Act label={words.add} title={`${words.add}: ${named(words, view.section)}`} look="primary" tags={tags} fields={fieldsOf(view)}
      send={(values, key) => api.post("/admin/v1/markets/{market}/content/{section}", { market, section: view.section as Section }, bodyOf(view, values), { key })} />
  );
};

export const EntryActs: Component<{ entry: Entry; view: View }> = ({ entry, view }) => {
  const { market } = usePlace();
  const { market: terms } = useMarket();
  const parameters = parametersOf(market, view, entry);
  const name = isolate(nameOf(entry));
  const seen = entry.version;
  const momentIn = (values: ActValues): { at?: string } =>
    (values.day && values.time && terms ? { at: momentOf(String(values.day), String(values.time), terms.timeZone).toISOString() } : {});
  return (
    <>
      <Act label={words.change} title={words.changeTitle(name)} tags={tags} fields={fieldsOf(view, entry)}
        send={(values, key) => api.put(path, parameters, bodyOf(view, values, entry), { key, seen })} />
      {entry.shown !== entry.version && (
        <Act label={words.publish} title={words.publishTitle(name)} text={view.section === "terms" ? words.publishTerms : words.publishText} look="primary" tags={tags}
          fields={[{ name: "day", label: words.day, kind: "date", optional: true, half: true, hint: words.now }, { name: "time", label: words.time, kind: "time", optional: true, half: true }]}
          check={(values) => ({ time: Boolean(values.day) !== Boolean(values.time) && words.now })}
          send={(values, key) => api.post(`${path}/publish`, parameters, momentIn(values), { key, seen })} />
      )}
      {view.section !== "terms" && (entry.shown !== undefined || entry.plannedAt !== undefined) && (
        <Act label={words.withdraw} title={words.withdrawTitle(name)} text={words.withdrawText} look="danger" tags={tags}
          send={(_, key) => api.post(`${path}/withdraw`, parameters, undefined, { key, seen })} />
      )}
      {view.section !== "terms" && entry.shown === undefined && entry.plannedAt === undefined && (
        <Act label={words.remove} title={words.removeTitle(name)} text={words.removeText} look="danger" tags={tags}
          send={() => api.delete(path, parameters)} />
      )}
      {view.section !== "news" && view.section !== "terms" && <Move entry={entry} view={view} />}
    </>
  );
};

const Move: Component<{ entry: Entry; view: View }> = ({ entry, view }) => {
  const { market } = usePlace();
  const may = useMay();
  if (!may) return null;
  const index = view.items.findIndex((one) => one.id === entry.id);
  const move = async (before: string | undefined): Promise<void> => {
    try {
      await api.put(`${path}/place`, parametersOf(market, view, entry), { before });
      readAgain(...tags);
      toast(words.moved);
    } catch (error) {
      toast(textOf(error));
    }
  };
  return (
    <>
      <Button kind="quiet" disabled={index < 1} onTap={() => void move(view.items[index - 1]?.id)}>{words.up}</Button>
      <Button kind="quiet" disabled={index >= view.items.length - 1} onTap={() => void move(view.items[index + 2]?.id)}>{words.down}</Button>
    </>
  );
};

const Versions: Component<{ entry: Entry; view: View }> = ({ entry, view }) => {
  const { market } = usePlace();
  const parameters = parametersOf(market, view, entry);
  const found = useGet(`${path}/versions`, parameters, tags);
  return (
    <Part title={words.versions}>
      <Loaded of={found}>
        {({ items }) => (
          <Table label={words.versions} items={items} idOf={(one) => String(one.version)} columns={[
            { id: "version", label: words.version, cell: (one) => <bdi>{`${one.version} · ${nameOf(one)}`}</bdi> },
            { id: "written", label: words.written, cell: (one) => <When at={one.at} /> },
            { id: "by", label: words.by, cell: (one) => <Who account={one.by} name={one.by ? one.byName : words.program} /> },
            { id: "published", label: words.publishedAt, cell: (one) => <When at={one.publishedAt} /> },
            { id: "acts", label: words.restore, cell: (one) => one.version !== entry.version && (
              <Act small label={words.restore} title={words.restoreTitle(String(one.version))} text={words.restoreText} tags={tags}
                send={(_, key) => api.post(`${path}/versions/{version}/restore`, { ...parameters, version: one.version }, undefined, { key, seen: entry.version })} />
            ) },
          ]} />
        )}
      </Loaded>
    </Part>
  );
};

/** The newest text with its languages side by side, and the versions before it. */
export const EntryDetails: Component<{ entry: Entry; view: View }> = ({ entry, view }) => {
  const { market } = usePlace();
  const [title, body] = labels(view.section);
  return (
    <>
      <div class="table-scroll" role="region" aria-label={words.entry} tabIndex={0}>
        <table class="table">
          <thead><tr><th scope="col">{words.entry}</th>{view.languages.map((language) => <th key={language} scope="col">{named(languageNames, language)}</th>)}</tr></thead>
          <tbody>
            <tr><th scope="row">{title}</th>{view.languages.map((language) => <td key={language} lang={language} dir="auto">{entry.title[language]}</td>)}</tr>
            <tr><th scope="row">{body}</th>{view.languages.map((language) => <td key={language} lang={language} dir="auto"><div style={{ whiteSpace: "pre-wrap" }}>{entry.body[language]}</div></td>)}</tr>
          </tbody>
        </table>
      </div>
      <Facts of={[
        [words.group, entry.group && named(groupNames, entry.group)], [words.number, entry.number && <bdi dir="ltr">{entry.number}</bdi>],
        [words.publishedAt, entry.publishedAt && <When at={entry.publishedAt} exact />], [words.planned, entry.plannedAt && <When at={entry.plannedAt} exact />], [words.written, <When at={entry.at} exact />],
        [words.by, <Who account={entry.by} name={entry.by ? entry.byName : words.program} />], [words.version, String(entry.version)],
      ]} />
      <Picture key={`${entry.id}.picture`} entry={entry} parameters={{ market, section: view.section as Section, id: entry.id }} />
      <Versions key={`${entry.id}.${entry.version}`} entry={entry} view={view} />
    </>
  );
};
