import type { Component } from "preact";
import { useGet } from "../../../shared/resources";
import { to, usePlace } from "../../../shared/router";
import { Badge, Empty, Loaded } from "../../../shared/ui";
import { Detail, Page, Split, Table, When } from "../../kit";
import type { PageProperties } from "../../pages";
import { Add, Entry, EntryActs, EntryDetails, nameOf, Section, sections, tags } from "./entry";
import { words } from "./words";

/** What everybody reads in the app: `content/faq`, and `content/faq.ID` with an entry open. */
const Content: Component<PageProperties> = ({ params }) => {
  const { market } = usePlace();
  const [first, open] = (params.id ?? "").split(".");
  const section = sections.find((one) => one === first) ?? "about";
  const found = useGet("/admin/v1/markets/{market}/content/{section}", { market, section }, tags);
  const view = found.value;
  const entry = view?.items.find((one) => one.id === open);
  return (
    <Page title={words.title} intro={words.intro} acts={view && (section !== "terms" || view.items.length === 0) && <Add view={view} />}>
      <SectionLinks section={section} />
      <Split detail={open && (
        <Detail key={open} title={entry ? <bdi>{nameOf(entry)}</bdi> : words.entry} back={`content/${section}`} of={found} acts={(all) => entry && <EntryActs entry={entry} view={all} />}>
          {(all) => (entry ? <EntryDetails entry={entry} view={all} /> : <Empty icon="search" title={words.gone} />)}
        </Detail>
      )}>
        <Loaded of={found}>
          {({ items }) => (items.length === 0 ? <Empty icon="search" title={words.none} /> : <div data-rows><Entries items={items} section={section} open={open} /></div>)}
        </Loaded>
      </Split>
    </Page>
  );
};

const SectionLinks: Component<{ section: Section }> = ({ section }) => (
  <nav aria-label={words.title}>
    <ul class="nav-sections">
      {sections.map((one) => <li key={one}><a href={to(`content/${one}`)} aria-current={one === section ? "page" : undefined}>{words[one]}</a></li>)}
    </ul>
  </nav>
);

const State: Component<{ entry: Entry }> = ({ entry }) => {
  if (entry.shown === entry.version) return <Badge tone="good">{words.published}</Badge>;
  if (entry.plannedAt !== undefined) return <Badge tone="neutral">{words.planned}</Badge>;
  return <Badge tone="neutral">{entry.shown === undefined ? words.draft : words.changed}</Badge>;
};

const Entries: Component<{ items: Entry[]; section: Section; open: string | undefined }> = ({ items, section, open }) => (
  <Table label={words[section]} items={items} idOf={(one) => one.id} columns={[
    { id: "entry", label: words.entry, cell: (one) => <a href={to(`content/${section}.${one.id}`)} data-row data-stays aria-current={one.id === open ? "true" : undefined}><bdi>{nameOf(one)}</bdi></a> },
    { id: "state", label: words.state, cell: (one) => <State entry={one} /> },
    { id: "written", label: words.written, wide: true, cell: (one) => <When at={one.at} /> },
  ]} />
);

export default Content;
