import type { Children, Component } from "preact";
import { useState } from "preact";
import { ago, date, Money as Amount, time } from "../../shared/format";
import { useMarket } from "../../shared/market";
import { to } from "../../shared/router";
import { Icon, Money, toast } from "../../shared/ui";
import { useName } from "./names";
import { words } from "./words";

/** A moment: how long ago it is, with the exact one on hover and focus. */
export const When: Component<{ at: string | undefined; exact?: boolean }> = ({ at, exact }) => {
  if (!at) return <>–</>;
  const full = `${date(at)}, ${time(at)}`;
  return <time dateTime={at} title={exact ? undefined : full}>{exact ? full : ago(at)}</time>;
};

/** An id's end: its beginning is the time, which all of one day share. */
export const shortId = (id: string): string => id.slice(-8);

/** An id of the services, short; whole on hover, and copied by a tap. */
export const Code: Component<{ value: string; href?: string }> = ({ value, href }) => {
  const short = <bdi class="code-text" title={value}>{shortId(value)}</bdi>;
  if (href !== undefined) return <a href={href} data-stays>{short}</a>;
  return (
    <span class="copyable">
      {short}
      <button type="button" class="icon-button tiny" aria-label={words.copy} title={words.copy}
        onClick={() => void navigator.clipboard?.writeText(value).then(() => toast(words.copied), () => undefined)}><Icon name="document" size={14} /></button>
    </span>
  );
};

/**
 * Somebody's name. Where the service that tells of the account knows none, admin is asked for all of the page together; the id's end
 * stands there until then. Names of people who are gone are not told.
 */
export const NameOf: Component<{ account: string; name?: string }> = ({ account, name }) => {
  const found = useName(name === undefined ? account : undefined);
  if (found?.isDeleted) return <span class="muted">{words.gone}</span>;
  const text = name ?? found?.name;
  if (text === undefined) return <bdi class="code-text" title={account}>{shortId(account)}</bdi>;
  return <><bdi>{text || words.gone}</bdi>{found?.isBanned && <> <span class="muted">({words.banned})</span></>}</>;
};

/** Somebody by name, with a link to the person's page. */
export const Who: Component<{ account?: string; name?: string }> = ({ account, name }) => {
  if (!account) return <span class="muted">{name ?? words.nobody}</span>;
  return <a href={to(`people/${account}`)}><NameOf account={account} name={name} /></a>;
};

/** The work of a provider, as the market names it in the reader's language. */
export const Work: Component<{ title?: string }> = ({ title }) => {
  const { market } = useMarket();
  return <>{[...(market?.titles ?? []), ...(market?.formerTitles ?? [])].find(({ id }) => id === title)?.name ?? title}</>;
};

/** An order by its number. */
export const OrderLink: Component<{ order: string }> = ({ order }) => <Code value={order} href={to(`orders/${order}`)} />;

export const Sum: Component<{ of: Amount | undefined; signed?: boolean }> = ({ of, signed }) => (of ? <Money value={of} signed={signed} /> : <>–</>);

/** Names and values, one a line. Values that are absent are left out. */
export const Facts: Component<{ of: [string, Children][]; label?: string }> = ({ of, label }) => (
  <dl class="facts-list" aria-label={label}>
    {of.filter(([, value]) => value !== undefined && value !== null && value !== "" && value !== false).map(([name, value]) => (
      <div key={name}><dt>{name}</dt><dd>{value}</dd></div>
    ))}
  </dl>
);

/** A number that matters, with what it counts; a link to what is behind it. */
export const Figure: Component<{ label: string; href?: string; tone?: "warning" | "good" }> = ({ label, href, tone, children }) => {
  const inside = <><span class="figure-value">{children}</span><span class="figure-label">{label}</span></>;
  return href !== undefined ? <a class={`figure ${tone ?? ""}`} href={href}>{inside}</a> : <div class={`figure ${tone ?? ""}`}>{inside}</div>;
};

/** Something long that is opened when it is wanted. What is inside is asked for then, and not before. */
export function Fold({ title, children }: { title: string; children: () => Children }): JSX.Element {
  const [isOpen, setOpen] = useState(false);
  return (
    <details class="fold" onToggle={(event) => setOpen((event.target as HTMLDetailsElement).open)}>
      <summary>{title}</summary>
      {isOpen && children()}
    </details>
  );
}
