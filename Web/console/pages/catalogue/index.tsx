import type { Component } from "preact";
import { useMarket } from "../../../shared/market";
import { useGet } from "../../../shared/resources";
import { to, usePlace } from "../../../shared/router";
import { Badge, Empty, Loaded } from "../../../shared/ui";
import { Detail, Page, Split, Table, When } from "../../kit";
import type { PageProperties } from "../../pages";
import { useMay } from "../../rights";
import { Add, EntryActs, EntryDetails, tags, useMove } from "./entry";
import { Around, Entry, nameOf, Section, sections } from "./fields";
import { words } from "./words";

const listPath = "/admin/v1/markets/{market}/catalogue/{section}";

/** What the market sells and what things are called in it: `catalogue/services`, and `catalogue/services.wound-care` with an entry open. */
const Catalogue: Component<PageProperties> = ({ params }) => {
  const { market } = usePlace();
  const { market: terms } = useMarket();
  const may = useMay();
  const move = useMove();
  const [first, ...rest] = (params.id ?? "").split(".");
  const section = sections.find((one) => one === first) ?? "services";
  const open = rest.join(".");
  const found = useGet(listPath, { market, section }, tags);
  const types = useGet(listPath, section === "services" ? { market, section: "service-types" } : null, tags);
  const titles = useGet(listPath, section === "services" ? { market, section: "titles" } : null, tags);
  const sellsFood = terms?.kinds.some((kind) => kind.kind === "food") ?? false;
  const aroundOf = (view: Around["view"]): Around => ({ view, types: types.value?.items ?? [], titles: titles.value?.items ?? [], parties: sellsFood ? ["customer", "provider", "merchant"] : ["customer", "provider"] });
  const list = found.value;
  const entry = list?.items.find((one) => one.id === open);
  const press = (event: KeyboardEvent): void => {
    if (!event.altKey || !may || !list?.open || (event.key !== "ArrowUp" && event.key !== "ArrowDown")) return;
    const focused = (event.target as Element).closest("[data-entry]")?.getAttribute("data-entry") ?? open;
    const moving = list.items.find((one) => one.id === focused);
    if (!moving) return;
    event.preventDefault();
    void move(moving, list.items, event.key === "ArrowUp" ? -1 : 1);
  };
  return (
    <Page title={words.title} intro={words.intro} acts={list?.open && <Add around={aroundOf(list)} section={section} />}>
      <SectionLinks section={section} />
      <div onKeyDown={press}>
        <Split detail={open && (
          <Detail key={open} title={entry ? <bdi>{nameOf(entry)}</bdi> : words.entry} back={`catalogue/${section}`} of={found} acts={(view) => entry && <EntryActs entry={entry} around={aroundOf(view)} />}>
            {(view) => (entry ? <EntryDetails entry={entry} around={aroundOf(view)} /> : <Empty icon="search" title={words.none} />)}
          </Detail>
        )}>
          <Loaded of={found}>
            {({ items }) => (items.length === 0 ? <Empty icon="care" title={words.none} /> : <div data-rows><Entries items={items} section={section} open={open} /></div>)}
          </Loaded>
        </Split>
      </div>
    </Page>
  );
};

/** The link of the open section is marked also while one of its entries is open, which has a path of its own. */
const SectionLinks: Component<{ section: Section }> = ({ section }) => (
  <nav aria-label={words.title}>
    <ul class="nav-sections">
      {sections.map((one) => <li key={one}><a href={to(`catalogue/${one}`)} aria-current={one === section ? "page" : undefined}>{words[one]}</a></li>)}
    </ul>
  </nav>
);

const Entries: Component<{ items: Entry[]; section: Section; open: string }> = ({ items, section, open }) => (
  <Table label={words[section]} items={items} idOf={(one) => one.id} columns={[
    { id: "entry", label: words.entry, cell: (one) => <a href={to(`catalogue/${section}.${one.id}`)} data-row data-stays data-entry={one.id} aria-current={one.id === open ? "true" : undefined}><bdi>{nameOf(one)}</bdi></a> },
    { id: "state", label: words.state, cell: (one) => <Badge tone={one.active ? "good" : "neutral"}>{one.active ? words.active : words.retired}</Badge> },
    { id: "changed", label: words.changed, wide: true, cell: (one) => (one.changedAt ? <When at={one.changedAt} /> : <span class="muted">{words.asShipped}</span>) },
  ]} />
);

export default Catalogue;
