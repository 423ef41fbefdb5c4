import type { Component } from "preact";
import { useMarket } from "../shared/market";
import { List, Row, Section } from "../shared/ui";
import { catalogue } from "../shared/words";

const words = catalogue({
  title: { en: "Help", ar: "المساعدة" },
  call: { en: "Call us", ar: "اتصل بنا" },
  write: { en: "Write to us", ar: "راسلنا" },
});

/** How people reach the market's support; nothing where it has none. */
export const Support: Component = () => {
  const { phone, email } = useMarket().market?.support ?? {};
  if (!phone && !email) return null;
  return (
    <Section title={words.title}>
      <List label={words.title}>
        {phone && <Row icon="phone" title={words.call} detail={<bdi dir="ltr">{phone}</bdi>} href={`tel:${phone}`} />}
        {email && <Row icon="mail" title={words.write} detail={<bdi dir="ltr">{email}</bdi>} href={`mailto:${email}`} />}
      </List>
    </Section>
  );
};
