import type { Identity } from "api-types";
import type { Component } from "preact";
import { dayAndTime } from "../../../shared/format";
import { languageName } from "../../../shared/language";
import { useGet } from "../../../shared/resources";
import { to, usePlace } from "../../../shared/router";
import { Avatar, Badge, Empty, Money, Note, Rating } from "../../../shared/ui";
import { Code, Detail, Facts, Part, When } from "../../kit";
import { Papers, stateTone } from "../papers/papers";
import { stateName } from "../papers/words";
import { PersonActs } from "./acts";
import { Sessions } from "./sessions";
import { words } from "./words";

const Contact: Component<{ text: string | undefined; isProved: boolean }> = ({ text, isProved }) =>
  text ? <><bdi dir="ltr">{text}</bdi> <Badge tone={isProved ? "good" : "warning"}>{isProved ? words.proved : words.unproved}</Badge></> : <>–</>;

/** What somebody has in the market's wallet; nobody's where there was never any money. */
const Balance: Component<{ account: string }> = ({ account }) => {
  const { market } = usePlace();
  const wallets = useGet("/wallet/v1/markets/{market}/wallets", { market, accounts: account }, ["wallet"]);
  if (!wallets.value) return <>–</>;
  const found = wallets.value.items;
  return found.length === 0 ? <span class="muted">{words.noWallet}</span> : <>{found.map((one) => <Money key={one.balance.currency} value={one.balance} />)}</>;
};

const banLine = (ban: NonNullable<Identity.MarketPerson["ban"]>): string =>
  [words.isBanned, ban.market === "*" ? words.everywhere : "", ban.until ? words.until(dayAndTime(ban.until)) : words.forEver].filter(Boolean).join(" ");

const Links: Component<{ person: Identity.MarketPerson }> = ({ person: { account, roles } }) => {
  const { market } = usePlace();
  const isProvider = roles.some((role) => role.role === "provider");
  const links: [string, string][] = [
    [words.asCustomer, `orders?customer=${account}`], ...(isProvider ? [[words.asProvider, `orders?provider=${account}`] as [string, string]] : []),
    ...([[words.payments, `payments?customer=${account}`], [words.fines, `fines?account=${account}`], [words.cashouts, `cashouts?account=${account}`], [words.disputes, `disputes?account=${account}`], [words.debts, `debtors/${account}`]] as [string, string][]),
    ...(market === "edencare" || market === "carrepsa" ? [[words.series, `series?customer=${account}`] as [string, string]] : []),
  ];
  return <Part title={words.elsewhere}><ul class="link-list">{links.map(([label, path]) => <li key={path}><a href={to(path)}>{label}</a></li>)}</ul></Part>;
};

const Known: Component<{ person: Identity.MarketPerson }> = ({ person }) => {
  const { market } = usePlace();
  const avatar = useGet("/identity/v1/markets/{market}/people/{account}", { market, account: person.account }, [`person:${person.account}`]).value?.avatar;
  return (
    <>
      {person.ban && <Note tone="danger"><strong>{banLine(person.ban)}</strong><p dir="auto">{person.ban.reason}</p></Note>}
      <div class="line"><Avatar name={person.name} src={avatar} size={56} />
        <div>{person.roles.map((role) => (
          <p key={role.title ?? role.role} class="line">
            {role.titleName ?? (role.role === "customer" ? words.customer : words.provider)}
            {role.state && <Badge tone={stateTone(role.state)}>{stateName(role.state)}</Badge>}
            {role.rating && role.rating.count > 0 && <Rating {...role.rating} />}
          </p>
        ))}</div>
      </div>
      <Facts of={[
        [words.email, <Contact text={person.email} isProved={person.emailProved} />], [words.mobile, <Contact text={person.mobile} isProved={person.mobileProved} />],
        [words.gender, person.gender && (person.gender === "female" ? words.female : words.male)], [words.language, languageName[person.language]],
        [words.registered, <When at={person.registeredAt} exact />], [words.balance, <Balance account={person.account} />], [words.account, <Code value={person.account} />],
      ]} />
      {person.roles.filter((role) => role.role === "provider").map((role) => <Papers key={role.title} account={person.account} name={person.name} title={role.title} />)}
      <Sessions account={person.account} name={person.name} />
      <Links person={person} />
    </>
  );
};

/** One person: contacts, roles, bans, money, papers, and what admins do about them. */
export const Person: Component<{ account: string }> = ({ account }) => {
  const { market } = usePlace();
  const found = useGet("/identity/v1/markets/{market}/people", { market, account: [account] }, [`person:${account}`]);
  const person = found.value?.items[0];
  return (
    <Detail title={person ? <bdi>{person.name}</bdi> : words.title} back="people" of={found} acts={() => person && <PersonActs person={person} />}>
      {() => (person ? <Known person={person} /> : <Empty icon="person" title={words.missing} />)}
    </Detail>
  );
};

