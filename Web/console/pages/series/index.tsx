import type { Component } from "preact";
import { ruleInWords } from "../../../app/features/care/calendar";
import { dayAndTime } from "../../../shared/format";
import { usePlace } from "../../../shared/router";
import { Badge } from "../../../shared/ui";
import { choiceFilter, Filter, List, Page, Split, Sum, useFilters, When, Who } from "../../kit";
import type { PageProperties } from "../../pages";
import { nameOf, Series } from "./one";
import { words } from "./words";

/** The series of the market; of one customer where the address names one. */
const SeriesPage: Component<PageProperties> = ({ params }) => {
  const { market } = usePlace();
  const filters: Filter[] = [
    { name: "name", label: words.name, kind: "text", placeholder: words.nameHint },
    choiceFilter("state", words.state, { active: words.active, ended: words.over }),
    { name: "customer", label: words.customer, kind: "text", placeholder: words.customerHint },
  ];
  const values = useFilters(filters);
  const parameters = { market, name: values.name, customer: values.customer, state: values.state as "active" | undefined };
  return (
    <Page title={words.title}>
      <Split detail={params.id && <Series key={params.id} series={params.id} />}>
        <List title={words.title} path="/dispatch/v1/markets/{market}/series" parameters={parameters} filters={filters} values={values} tags={["series"]}
          empty={words.none} idOf={(one) => one.series} hrefOf={(one) => `series/${one.series}`} open={params.id}
          columns={[
            { id: "what", label: words.what, cell: (one) => <bdi>{nameOf(one)}</bdi> },
            { id: "customer", label: words.customer, cell: (one) => <Who {...one.customer} /> },
            { id: "rule", label: words.rule, wide: true, cell: (one) => ruleInWords(one.rule, one.time) },
            { id: "next", label: words.next, cell: (one) => (one.nextAt ? dayAndTime(one.nextAt) : "–") },
            { id: "state", label: words.state, cell: (one) => <Badge tone={one.needsAgreement ? "warning" : one.state === "active" ? "good" : "neutral"}>{one.stateText}</Badge> },
            { id: "payment", label: words.payment, wide: true, cell: (one) => one.paymentText },
            { id: "price", label: words.price, end: true, cell: (one) => <Sum of={one.price ?? one.agreedPrice} /> },
            { id: "made", label: words.made, wide: true, cell: (one) => <When at={one.createdAt} /> },
          ]} />
      </Split>
    </Page>
  );
};

export default SeriesPage;
