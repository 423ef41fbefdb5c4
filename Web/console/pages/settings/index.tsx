import type { Component } from "preact";
import { useGet } from "../../../shared/resources";
import { to, usePlace } from "../../../shared/router";
import { Badge, Empty, Loaded } from "../../../shared/ui";
import { Filter, FilterBar, Page, Split, Table, useFilters, When } from "../../kit";
import { hasOrders, PageProperties } from "../../pages";
import { Setting } from "./one";
import { shown } from "./units";
import { settingName, words } from "./words";

/** What of a market's settings is there for where nothing is ordered. */
const ofEveryMarket = ["timeZone", "languages", "serviceArea", "retentionMonths", "supportPhone", "supportEmail"];

/** All settings of the market with their bounds, and who changed them last. */
const Settings: Component<PageProperties> = ({ params }) => {
  const { market, query } = usePlace();
  const settings = useGet("/admin/v1/markets/{market}/settings", { market }, ["settings"]);
  const filters: Filter[] = [{ name: "find", label: words.find, kind: "text" }];
  const values = useFilters(filters);
  const currency = settings.value?.items.find((one) => one.key === "currency")?.value ?? "SAR";
  const search = query.toString() ? `?${query.toString()}` : "";
  const wanted = (values.find ?? "").toLowerCase();
  return (
    <Page title={words.title} intro={words.intro}>
      <Split detail={params.id && <Setting key={params.id} of={settings} name={params.id} currency={currency} />}>
        <FilterBar filters={filters} values={values} />
        <Loaded of={settings}>
          {({ items }) => {
            const found = items.filter((one) => (hasOrders(market) || ofEveryMarket.includes(one.key)) && `${settingName(one.key)} ${one.key}`.toLowerCase().includes(wanted));
            return found.length === 0 ? <Empty icon="search" title={words.none} /> : (
              <div data-rows>
                <Table label={words.title} items={found} idOf={(one) => one.key} columns={[
                  { id: "setting", label: words.setting, cell: (one) => <a href={to(`settings/${one.key}`) + search} data-row data-stays aria-current={one.key === params.id ? "true" : undefined}>{settingName(one.key)}</a> },
                  { id: "value", label: words.value, cell: (one) => <><bdi>{shown(one, one.value, currency)}</bdi>{one.proposed && <> <Badge tone="warning">{words.proposed}</Badge></>}</> },
                  { id: "standard", label: words.standard, wide: true, cell: (one) => <bdi>{shown(one, one.default, currency)}</bdi> },
                  { id: "changed", label: words.changed, wide: true, cell: (one) => (one.changedAt ? <><When at={one.changedAt} /> <bdi>{one.changedBy?.name}</bdi></> : <span class="muted">{words.never}</span>) },
                ]} />
              </div>
            );
          }}
        </Loaded>
      </Split>
    </Page>
  );
};

export default Settings;
