import type { Component } from "preact";
import { usePlace } from "../../../shared/router";
import { Badge } from "../../../shared/ui";
import { choiceFilter, Filter, List, Page, Split, useFilters, When, Who } from "../../kit";
import type { PageProperties } from "../../pages";
import { Inquiry } from "./one";
import { words } from "./words";

/** What customers and providers ask the market, each in a section of its own. */
const Inquiries: Component<PageProperties> = ({ params }) => {
  const { market } = usePlace();
  const filters: Filter[] = [
    choiceFilter("section", words.section, { customers: words.customers, providers: words.providers }),
    choiceFilter("answered", words.status, { false: words.waiting, true: words.responded }),
  ];
  const values = useFilters(filters);
  const parameters = { market, section: values.section as "customers" | undefined, answered: values.answered as "true" | undefined };
  return (
    <Page title={words.title}>
      <Split detail={params.id && <Inquiry key={params.id} inquiry={params.id} />}>
        <List title={words.title} path="/notifications/v1/markets/{market}/inquiries" parameters={parameters} filters={filters} values={values} tags={["inquiries"]} empty={words.none}
          idOf={(one) => one.inquiry} hrefOf={(one) => `inquiries/${one.inquiry}`} open={params.id}
          columns={[
            { id: "title", label: words.subject, cell: (one) => <bdi>{one.title}</bdi> },
            { id: "status", label: words.status, cell: (one) => <Badge tone={one.status === "responded" ? "good" : "warning"}>{one.status === "responded" ? words.responded : words.waiting}</Badge> },
            { id: "section", label: words.section, cell: (one) => (one.section === "customers" ? words.customers : words.providers) },
            { id: "who", label: words.who, cell: (one) => <Who account={one.account} /> },
            { id: "taken", label: words.taken, wide: true, cell: (one) => one.takenBy && <Who account={one.takenBy} /> },
            { id: "last", label: words.last, cell: (one) => <When at={one.lastAt} /> },
          ]} />
      </Split>
    </Page>
  );
};

export default Inquiries;
