import type { Component } from "preact";
import { ruleInWords } from "../../../app/features/care/calendar";
import { usePlace } from "../../../shared/router";
import { Badge } from "../../../shared/ui";
import { Filter, List, Page, Split, Sum, useFilters, When } from "../../kit";
import type { PageProperties } from "../../pages";
import { nameOf, Series } from "./one";
import { words } from "./words";

/** The series of one customer. */
const SeriesPage: Component<PageProperties> = ({ params }) => {
  const { market } = usePlace();
  const filters: Filter[] = [{ name: "customer", label: words.customer, kind: "text", placeholder: words.customerHint }];
  const values = useFilters(filters);
  return (
    <Page title={words.title}>
      <Split detail={params.id && <Series key={params.id} series={params.id} />}>
        <List title={words.title} path="/dispatch/v1/markets/{market}/series" parameters={values.customer ? { market, customer: values.customer } : null} filters={filters} values={values} tags={["series"]}
          empty={values.customer ? words.none : words.choose} idOf={(one) => one.series} hrefOf={(one) => `series/${one.series}`} open={params.id}
          columns={[
            { id: "what", label: words.what, cell: (one) => <bdi>{nameOf(one)}</bdi> },
            { id: "rule", label: words.rule, cell: (one) => ruleInWords(one.rule, one.time) },
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
