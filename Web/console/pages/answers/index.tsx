import type { Component } from "preact";
import type { Notifications } from "api-types";
import { api } from "../../../shared/api/client";
import { useGet } from "../../../shared/resources";
import { usePlace } from "../../../shared/router";
import { Empty, Loaded } from "../../../shared/ui";
import { isolate } from "../../../shared/words";
import { Act, ActField, ActValues, choiceFilter, Filter, FilterBar, optionsOf, Page, Table, useFilters, When } from "../../kit";
import { words } from "./words";

type Answer = Notifications.CannedAnswer;
type Draft = Notifications.CannedAnswerDraft;
const path = "/notifications/v1/markets/{market}/canned-answers";
const tags = ["answers"];
const sections = (): Record<string, string> => ({ customers: words.customers, providers: words.providers });
const languages = (): Record<string, string> => ({ en: words.english, ar: words.arabic });

const fieldsOf = (answer?: Answer): ActField[] => [
  { name: "name", label: words.name, initial: answer?.name ?? "", maximum: 60 },
  { name: "section", label: words.section, kind: "choice", initial: answer?.section ?? "customers", options: optionsOf(sections()) },
  { name: "language", label: words.language, kind: "choice", initial: answer?.language ?? "en", options: optionsOf(languages()) },
  { name: "text", label: words.text, kind: "long", initial: answer?.text ?? "", maximum: 2000 },
];
const draftOf = (values: ActValues): Draft => ({
  section: values.section as Draft["section"], language: String(values.language), name: String(values.name), text: String(values.text),
});

const Acts: Component<{ of: Answer; market: string }> = ({ of, market }) => (
  <div class="act-buttons">
    <Act small label={words.change} title={words.change} tags={tags} fields={fieldsOf(of)}
      send={(values) => api.put(`${path}/{id}`, { market, id: of.answer }, draftOf(values), { seen: of.version })} />
    <Act small label={words.remove} title={words.removeTitle(isolate(of.name))} text={words.removeText} look="danger" tags={tags}
      send={() => api.delete(`${path}/{id}`, { market, id: of.answer })} />
  </div>
);

/** What admins have ready to answer inquiries. */
const Answers: Component = () => {
  const { market } = usePlace();
  const filters: Filter[] = [choiceFilter("section", words.section, sections()), choiceFilter("language", words.language, languages())];
  const values = useFilters(filters);
  const found = useGet(path, { market, section: values.section as Draft["section"] | undefined, language: values.language }, tags);
  return (
    <Page title={words.title} intro={words.intro}
      acts={<Act label={words.add} title={words.add} look="primary" tags={tags} fields={fieldsOf()} send={(typed, key) => api.post(path, { market }, draftOf(typed), { key })} />}>
      <FilterBar filters={filters} values={values} />
      <Loaded of={found}>
        {({ items }) => items.length === 0 ? <Empty icon="chat" title={words.none} /> : (
          <Table label={words.title} items={items} idOf={(one) => one.answer}
            columns={[
              { id: "name", label: words.name, cell: (one) => <bdi>{one.name}</bdi> },
              { id: "section", label: words.section, cell: (one) => sections()[one.section] ?? one.section },
              { id: "language", label: words.language, cell: (one) => languages()[one.language] ?? one.language },
              { id: "text", label: words.text, cell: (one) => <span class="words" dir="auto">{one.text}</span> },
              { id: "changed", label: words.changed, wide: true, cell: (one) => <When at={one.changedAt} /> },
              { id: "acts", label: "", end: true, cell: (one) => <Acts of={one} market={market} /> },
            ]} />
        )}
      </Loaded>
    </Page>
  );
};

export default Answers;
