import type { Wallet } from "api-types";
import type { Component } from "preact";
import { api } from "../../../shared/api/client";
import { minorUnits, number, typedAmount } from "../../../shared/format";
import { useGet } from "../../../shared/resources";
import { usePlace } from "../../../shared/router";
import { Money } from "../../../shared/ui";
import { Act, Csv, Detail, Facts, kitWords, List, NameOf, Page, reasonField, secondApproval, Split, Sum, When, Who } from "../../kit";
import type { PageProperties } from "../../pages";
import { words } from "./words";

const WriteOff: Component<{ owed: Wallet.Owed }> = ({ owed }) => {
  const { market } = usePlace();
  const { currency } = owed.owed;
  return (
    <Act label={words.writeOff} title={words.writeOff} text={words.writeOffText} tags={["debtors", `debtor:${owed.account}`, "approvals"]}
      fields={[{ name: "amount", label: `${words.amount} (${currency})`, kind: "amount", initial: typedAmount(owed.canBeWrittenOff) }, reasonField()]}
      check={(values) => ({ amount: minorUnits(String(values.amount), currency) === undefined && kitWords.badAmount })}
      send={(values, key) => api.post("/wallet/v1/markets/{market}/debtors/{account}/write-off", { market, account: owed.account }, { amount: minorUnits(String(values.amount), currency) ?? 0, currency, reason: String(values.reason) }, { key })}
      told={secondApproval} />
  );
};

const Debtor: Component<{ account: string }> = ({ account }) => {
  const { market } = usePlace();
  const found = useGet("/wallet/v1/markets/{market}/debtors/{account}", { market, account }, [`debtor:${account}`]);
  return (
    <Detail title={<Who account={account} />} back="debtors" of={found} acts={(owed) => owed.canBeWrittenOff.amount > 0 && <WriteOff owed={owed} />}>
      {(owed) => <Facts of={[[words.owed, <Money value={owed.owed} />], [words.waiting, <Money value={owed.waiting} />], [words.canBe, <Money value={owed.canBeWrittenOff} />]]} />}
    </Detail>
  );
};

const Debtors: Component<PageProperties> = ({ params }) => {
  const { market } = usePlace();
  return (
    <Page title={words.title} intro={words.intro}>
      <Split detail={params.id && <Debtor key={params.id} account={params.id} />}>
        <List title={words.title} path="/wallet/v1/markets/{market}/debtors" parameters={{ market }} tags={["debtors"]} empty={words.none}
          end={<Csv path="/wallet/v1/markets/{market}/debtors.csv" parameters={{ market }} name={`debtors-${market}`} />}
          idOf={(one) => `${one.account} ${one.waiting.currency}`} hrefOf={(one) => `debtors/${one.account}`} open={params.id}
          columns={[
            { id: "account", label: words.account, cell: (one) => <NameOf account={one.account} /> },
            { id: "waiting", label: words.waiting, end: true, cell: (one) => <Sum of={one.waiting} /> },
            { id: "receivers", label: words.receivers, end: true, cell: (one) => number(one.receivers) },
            { id: "since", label: words.since, cell: (one) => <When at={one.since} /> },
          ]} />
      </Split>
    </Page>
  );
};

export default Debtors;
