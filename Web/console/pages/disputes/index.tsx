import type { Wallet } from "api-types";
import type { Component } from "preact";
import { api, GetParameters } from "../../../shared/api/client";
import { useGet } from "../../../shared/resources";
import { usePlace } from "../../../shared/router";
import { Badge, Money } from "../../../shared/ui";
import { Act, choiceFilter, Code, Csv, dayFilters, Detail, Facts, Filter, List, OrderLink, Page, reasonField, Split, Sum, useFilters, useMoments, When, Who } from "../../kit";
import type { PageProperties } from "../../pages";
import { states, words } from "./words";

const path = "/wallet/v1/markets/{market}/disputes";
const kindName = (kind: string): string => (kind === "dispute" ? words.isDispute : words.isRefund);
const tone = (state: string): "good" | "warning" | "danger" | "neutral" => (state === "won" ? "good" : state === "open" || state === "inquiry" ? "warning" : state === "lost" ? "danger" : "neutral");

const Unfreeze: Component<{ dispute: Wallet.Dispute }> = ({ dispute }) => {
  const { market } = usePlace();
  return (
    <Act label={words.unfreeze} title={words.unfreeze} text={words.unfreezeText} tags={["disputes", `dispute:${dispute.dispute}`]} fields={[reasonField()]}
      send={(values, key) => api.post("/wallet/v1/markets/{market}/wallets/{account}/unfreezing", { market, account: dispute.account }, { reason: String(values.reason) }, { key })} />
  );
};

const Dispute: Component<{ dispute: string }> = ({ dispute: id }) => {
  const { market } = usePlace();
  const found = useGet("/wallet/v1/markets/{market}/disputes/{dispute}", { market, dispute: id }, [`dispute:${id}`]);
  return (
    <Detail title={found.value ? <>{kindName(found.value.kind)} <Money value={found.value.debited} /></> : words.dispute} back="disputes" of={found} acts={(one) => one.freezes && <Unfreeze dispute={one} />}>
      {(one) => (
        <Facts of={[
          [words.state, <Badge tone={tone(one.state)}>{states()[one.state] ?? one.state}</Badge>], [words.account, <Who account={one.account} />],
          [words.order, one.order && <OrderLink order={one.order} />], [words.amount, <Money value={one.amount} />], [words.debited, <Money value={one.debited} />],
          [words.freezes, one.freezes ? words.frozen : words.notFrozen], [words.reason, one.reason && <bdi>{one.reason}</bdi>], [words.at, <When at={one.at} exact />], [words.dispute, <Code value={one.dispute} />],
        ]} />
      )}
    </Detail>
  );
};

const Disputes: Component<PageProperties> = ({ params }) => {
  const { market } = usePlace();
  const filters: Filter[] = [
    choiceFilter("kind", words.kind, { dispute: words.isDispute, refund: words.isRefund }), choiceFilter("state", words.state, states()),
    choiceFilter("freezes", words.freezes, { true: words.frozen, false: words.notFrozen }), { name: "account", label: words.account, kind: "text" }, ...dayFilters(),
  ];
  const values = useFilters(filters);
  const { kind, state, freezes, account } = values;
  const parameters = { market, kind, state, freezes, account, ...useMoments(values) } as GetParameters<typeof path>;
  return (
    <Page title={words.title}>
      <Split detail={params.id && <Dispute key={params.id} dispute={params.id} />}>
        <List title={words.title} path={path} parameters={parameters} filters={filters} values={values} tags={["disputes"]} empty={words.none}
          end={<Csv path="/wallet/v1/markets/{market}/disputes.csv" parameters={parameters} name={`disputes-${market}`} />}
          idOf={(one) => one.dispute} hrefOf={(one) => `disputes/${one.dispute}`} open={params.id}
          columns={[
            { id: "kind", label: words.kind, cell: (one) => kindName(one.kind) },
            { id: "state", label: words.state, cell: (one) => <Badge tone={tone(one.state)}>{states()[one.state] ?? one.state}</Badge> },
            { id: "account", label: words.account, cell: (one) => <Who account={one.account} /> },
            { id: "freezes", label: words.freezes, wide: true, cell: (one) => one.freezes && <Badge tone="danger">{words.frozen}</Badge> },
            { id: "debited", label: words.debited, end: true, cell: (one) => <Sum of={one.debited} /> },
            { id: "at", label: words.at, cell: (one) => <When at={one.at} /> },
          ]} />
      </Split>
    </Page>
  );
};

export default Disputes;
