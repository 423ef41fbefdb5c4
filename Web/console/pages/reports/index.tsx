import type { Component } from "preact";
import { usePlace } from "../../../shared/router";
import { Badge } from "../../../shared/ui";
import { choiceFilter, Code, Filter, List, Page, Split, useFilters, When, Who } from "../../kit";
import type { PageProperties } from "../../pages";
import { partyName } from "../../states";
import { Report } from "./one";
import { words } from "./words";

/** What parties of orders report, the oldest first. */
const Reports: Component<PageProperties> = ({ params }) => {
  const { market } = usePlace();
  const filters: Filter[] = [
    choiceFilter("state", words.state, { decided: words.decided, answered: words.answered }, words.open),
    choiceFilter("awaits", words.awaits, { decision: words.decision, answer: words.answer }),
    choiceFilter("overdue", words.overdue, { true: words.overdueOnly, false: words.inTime }),
  ];
  const values = useFilters(filters);
  const parameters = { market, state: (values.state ?? "open") as "open", awaits: values.awaits as "decision" | undefined, overdue: values.overdue as "true" | undefined };
  return (
    <Page title={words.title}>
      <Split detail={params.id && <Report key={params.id} report={params.id} />}>
        <List title={words.title} path="/admin/v1/markets/{market}/reports" parameters={parameters} filters={filters} values={values} tags={["reports"]} empty={words.none}
          idOf={(one) => one.report} hrefOf={(one) => `reports/${one.report}`} open={params.id}
          columns={[
            { id: "reason", label: words.reason, cell: (one) => one.reasonText },
            { id: "awaits", label: words.awaits, cell: (one) => <Badge tone={one.awaitsDecision ? "warning" : "neutral"}>{one.state !== "open" ? words[one.state] : one.awaitsDecision ? words.decision : words.answer}</Badge> },
            { id: "who", label: words.who, cell: (one) => <>{partyName(one.by)} <Who {...one.person} /></> },
            { id: "order", label: words.order, wide: true, cell: (one) => <Code value={one.order} href={`/console/${market}/orders/${one.order}`} /> },
            { id: "reminders", label: words.reminders, wide: true, end: true, cell: (one) => one.reminders || "" },
            { id: "at", label: words.at, cell: (one) => <When at={one.at} /> },
          ]} />
      </Split>
    </Page>
  );
};

export default Reports;
