import type { Component } from "preact";
import type { GetParameters } from "../../../shared/api/client";
import { dayAndTime } from "../../../shared/format";
import { useGet } from "../../../shared/resources";
import { usePlace } from "../../../shared/router";
import { Badge } from "../../../shared/ui";
import { choiceFilter, Csv, Filter, kitWords, List, Page, Sections, Sum, useFilters, Who } from "../../kit";
import type { PageProperties } from "../../pages";
import { Make, Plans } from "./plans";
import { words } from "./words";

const path = "/wallet/v1/markets/{market}/subscribers";

const Subscribers: Component = () => {
  const { market } = usePlace();
  const plans = useGet("/wallet/v1/markets/{market}/subscription-plans", { market }, ["plans"]).value?.items ?? [];
  const filters: Filter[] = [choiceFilter("state", words.state, { active: words.active, expired: words.expired }), choiceFilter("plan", words.plan, Object.fromEntries(plans.map((plan) => [plan.plan, plan.name]))), { name: "account", label: words.account, kind: "text" }];
  const values = useFilters(filters);
  const parameters = { market, ...values } as GetParameters<typeof path>;
  return (
    <List title={words.subscribers} path={path} parameters={parameters} filters={filters} values={values} tags={["plans"]} empty={words.noSubscribers}
      end={<Csv path="/wallet/v1/markets/{market}/subscribers.csv" parameters={parameters} name={`subscribers-${market}`} />}
      idOf={(one) => one.subscription}
      columns={[
        { id: "who", label: words.who, cell: (one) => <Who account={one.account} name={one.name} /> },
        { id: "plan", label: words.plan, cell: (one) => <bdi>{one.planName}</bdi> },
        { id: "state", label: words.state, cell: (one) => <Badge tone={one.state === "active" ? "good" : "neutral"}>{one.stateText}</Badge> },
        { id: "price", label: words.price, end: true, cell: (one) => <Sum of={one.price} /> },
        { id: "method", label: words.method, wide: true, cell: (one) => one.methodText },
        { id: "renews", label: words.renews, wide: true, cell: (one) => (one.renews ? kitWords.yes : kitWords.no) },
        { id: "ends", label: words.endsAt, cell: (one) => dayAndTime(one.endsAt) },
      ]} />
  );
};

const Subscriptions: Component<PageProperties> = ({ params }) => (
  <Page title={words.title} acts={<Make />}>
    <Sections label={words.title} items={[{ path: "plans/figures", label: words.plans }, { path: "plans/subscribers", label: words.subscribers }]} />
    {params.id === "subscribers" ? <Subscribers /> : <Plans />}
  </Page>
);

export default Subscriptions;
