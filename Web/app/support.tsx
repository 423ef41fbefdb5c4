import type { Component } from "preact";
import { useCell } from "../shared/cell";
import { useMarket } from "../shared/market";
import { to } from "../shared/router";
import { session } from "../shared/session";
import { List, Row, Section } from "../shared/ui";
import { catalogue } from "../shared/words";

const words = catalogue({
  title: { en: "Help", ar: "المساعدة" },
  ask: { en: "Contact us", ar: "تواصل معنا" },
  call: { en: "Call us", ar: "اتصل بنا" },
  write: { en: "Write to us", ar: "راسلنا" },
});

/** How people reach the market's support: by an inquiry, and outside of the app where it has a phone or an address. */
export const Support: Component<{ only?: "outside" }> = ({ only }) => {
  const { market } = useMarket();
  const { state } = useCell(session);
  const { phone, email } = market?.support ?? {};
  const isIn = market !== undefined && state === "in" && only === undefined;
  if (!phone && !email && !isIn) return null;
  return (
    <Section title={words.title}>
      <List label={words.title}>
        {isIn && <Row icon="chat" title={words.ask} href={to("help")} />}
        {phone && <Row icon="phone" title={words.call} detail={<bdi dir="ltr">{phone}</bdi>} href={`tel:${phone}`} />}
        {email && <Row icon="mail" title={words.write} detail={<bdi dir="ltr">{email}</bdi>} href={`mailto:${email}`} />}
      </List>
    </Section>
  );
};
