import type { Admin } from "api-types";
import type { Component } from "preact";
import { date } from "../../../shared/format";
import { useGet } from "../../../shared/resources";
import { usePlace } from "../../../shared/router";
import { Empty, Loaded, Screen, Section } from "../../../shared/ui";
import type { ScreenProperties } from "../../features";
import { sections } from "./sections";
import { words } from "./words";

type Item = Admin.PublishedContent["items"][number];

/** The spans of a line. Links go to pages, mailboxes and telephones only: the service hands out no others. */
const Line: Component<{ spans: Admin.ContentSpan[] }> = ({ spans }) => (
  <>
    {spans.map((span, index) => {
      if (span.link) return <a key={index} href={span.link} rel="noopener noreferrer">{span.text}</a>;
      if (span.strong) return <strong key={index}>{span.text}</strong>;
      return span.emphasis ? <em key={index}>{span.text}</em> : span.text;
    })}
  </>
);

const Block: Component<{ block: Admin.ContentBlock }> = ({ block }) => {
  const items = block.lines.map((line, index) => <li key={index} dir="auto"><Line spans={line} /></li>);
  if (block.kind === "list") return <ul>{items}</ul>;
  if (block.kind === "numbered") return <ol>{items}</ol>;
  const text = block.lines.map((line, index) => <Line key={index} spans={line} />);
  return block.kind === "heading" ? <h3 dir="auto">{text}</h3> : <p dir="auto">{text}</p>;
};

const Entry: Component<{ item: Item; isNews: boolean }> = ({ item, isNews }) => (
  <Section title={item.title}>
    {(item.group || isNews) && <p class="muted">{[item.group && ((words as unknown as Record<string, string>)[item.group] ?? item.group), isNews && date(item.publishedAt)].filter(Boolean).join(" · ")}</p>}
    {item.number && <p><a href={`tel:${item.number.replace(/[^+0-9]/g, "")}`}><bdi dir="ltr">{item.number}</bdi></a></p>}
    {item.image && <img src={item.image.url} alt={item.image.alt} loading="lazy" style={{ maxInlineSize: "100%", blockSize: "auto", borderRadius: "var(--corner)" }} />}
    {item.body.map((block, index) => <Block key={index} block={block} />)}
  </Section>
);

/** A section of what the market's admins write for everybody: `help/faq`. */
const Content: Component<ScreenProperties> = ({ params }) => {
  const { market } = usePlace();
  const section = sections.find((one) => one === params.item) ?? "about";
  const found = useGet("/admin/v1/markets/{market}/pages/{section}", { market, section });
  return (
    <Screen title={words[section]} back="">
      <Loaded of={found}>
        {({ items }) => (items.length === 0
          ? <Empty icon="search" title={words.none} />
          : <>{items.map((item) => <Entry key={item.id} item={item} isNews={section === "news"} />)}</>)}
      </Loaded>
    </Screen>
  );
};

export default Content;
