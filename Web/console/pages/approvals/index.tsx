import type { Wallet } from "api-types";
import type { Children, Component } from "preact";
import { api } from "../../../shared/api/client";
import { useCell } from "../../../shared/cell";
import { money, number } from "../../../shared/format";
import { useGet } from "../../../shared/resources";
import { to, usePlace } from "../../../shared/router";
import { session } from "../../../shared/session";
import { Badge, Money, Note } from "../../../shared/ui";
import { Act, choiceFilter, Code, Csv, Detail, Facts, Filter, List, NameOf, Page, Part, reasonField, Split, Sum, useFilters, When, Who } from "../../kit";
import type { PageProperties } from "../../pages";
import { words as promo } from "../promos/words";
import { words } from "./words";

const kindName = (approval: Wallet.Approval): string => words[approval.kind] ?? approval.kind;
/** Where what it is about has its page. */
const subjectPath = ({ kind, subject }: Wallet.Approval): string | undefined =>
  kind === "cashOut" ? `cashouts/${subject}` : kind === "refund" ? `orders/${subject}` : undefined;

const Subject: Component<{ of: Wallet.Approval }> = ({ of }) => {
  const path = subjectPath(of);
  if (of.kind === "writeOff") return <a href={to(`debtors/${of.subject}`)}><NameOf account={of.subject} /></a>;
  return path ? <Code value={of.subject} href={to(path)} /> : <bdi class="code-text">{of.details.code ?? of.subject}</bdi>;
};

/** What is told beside the amount, in words where its names are known: of a promo code, its terms. */
function detailOf([name, value]: [string, string], currency: string): [string, Children] {
  const names: Record<string, string> = { code: promo.code, basisPoints: promo.gives, maximum: promo.maximum, amount: promo.amount, minimumPrice: promo.minimum, limit: promo.limit, limitPerAccount: promo.perAccount, reason: words.reason };
  const isSum = ["maximum", "amount", "minimumPrice"].includes(name) && /^\d+$/.test(value);
  return [names[name] ?? name, isSum ? <Money value={{ amount: Number(value), currency }} /> : name === "basisPoints" ? `${number(Number(value) / 100, 2)}%` : <bdi>{value}</bdi>];
}

const Decide: Component<{ approval: Wallet.Approval }> = ({ approval }) => {
  const { market } = usePlace();
  const { account } = useCell(session);
  const tags = ["approvals", `approval:${approval.approval}`, "cashouts", "refunds", "promos", "debtors"];
  const send = (body: { approve: boolean; reason?: string }, key: string): Promise<Wallet.Approval> =>
    api.post("/wallet/v1/markets/{market}/approvals/{approval}/decision", { market, approval: approval.approval }, body, { key });
  const sum = money(approval.amount);
  return (
    <>
      {approval.begunBy !== account && <Act label={words.approve} title={words.approveTitle(kindName(approval), sum)} text={words.approveText} look="primary" tags={tags} send={(_, key) => send({ approve: true }, key)} />}
      <Act label={words.reject} title={words.rejectTitle(kindName(approval), sum)} look="danger" tags={tags} fields={[reasonField()]} send={(values, key) => send({ approve: false, reason: String(values.reason) }, key)} />
    </>
  );
};

const Approval: Component<{ approval: string }> = ({ approval: id }) => {
  const { market } = usePlace();
  const { account } = useCell(session);
  const found = useGet("/wallet/v1/markets/{market}/approvals/{approval}", { market, approval: id }, [`approval:${id}`]);
  return (
    <Detail title={found.value ? kindName(found.value) : words.title} back="approvals" of={found} acts={(approval) => approval.state === "waiting" && <Decide approval={approval} />}>
      {(approval) => (
        <>
          {approval.state === "waiting" && approval.begunBy === account && <Note>{words.ownMatter}</Note>}
          <Facts of={[
            [words.state, <Badge tone={approval.state === "waiting" ? "warning" : approval.state === "approved" ? "good" : "neutral"}>{words[approval.state]}</Badge>],
            [words.amount, <Money value={approval.amount} />], [words.subject, <Subject of={approval} />], [words.by, approval.begunBy === account ? words.own : <Who account={approval.begunBy} />],
            [words.at, <When at={approval.begunAt} exact />], [words.decidedBy, approval.decidedBy && <Who account={approval.decidedBy} />], [words.decidedAt, approval.decidedAt && <When at={approval.decidedAt} exact />],
            [words.reason, approval.reason && <bdi>{approval.reason}</bdi>],
          ]} />
          {Object.keys(approval.details).length > 0 && <Part title={words.details}><Facts of={Object.entries(approval.details).map((one) => detailOf(one, approval.amount.currency))} /></Part>}
        </>
      )}
    </Detail>
  );
};

const Approvals: Component<PageProperties> = ({ params }) => {
  const { market } = usePlace();
  const filters: Filter[] = [
    choiceFilter("state", words.state, { approved: words.approved, rejected: words.rejected }, words.waiting),
    choiceFilter("kind", words.kind, { cashOut: words.cashOut, refund: words.refund, promoCode: words.promoCode, writeOff: words.writeOff }),
  ];
  const values = useFilters(filters);
  const parameters = { market, state: (values.state ?? "waiting") as "waiting", kind: values.kind as "refund" | undefined };
  return (
    <Page title={words.title} intro={words.intro}>
      <Split detail={params.id && <Approval key={params.id} approval={params.id} />}>
        <List title={words.title} path="/wallet/v1/markets/{market}/approvals" parameters={parameters} filters={filters} values={values} tags={["approvals"]} empty={words.none}
          end={<Csv path="/wallet/v1/markets/{market}/approvals.csv" parameters={parameters} name={`approvals-${market}`} />}
          idOf={(one) => one.approval} hrefOf={(one) => `approvals/${one.approval}`} open={params.id}
          columns={[
            { id: "kind", label: words.kind, cell: (one) => kindName(one) },
            { id: "amount", label: words.amount, end: true, cell: (one) => <Sum of={one.amount} /> },
            { id: "subject", label: words.subject, cell: (one) => <Subject of={one} /> },
            { id: "by", label: words.by, cell: (one) => <Who account={one.begunBy} /> },
            { id: "at", label: words.at, cell: (one) => <When at={one.begunAt} /> },
          ]} />
      </Split>
    </Page>
  );
};

export default Approvals;
