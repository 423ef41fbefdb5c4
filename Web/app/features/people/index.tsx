import type { Component } from "preact";
import { useMarket } from "../../../shared/market";
import { useGet } from "../../../shared/resources";
import { useCell } from "../../../shared/cell";
import { to } from "../../../shared/router";
import { session } from "../../../shared/session";
import { Avatar, Badge, Button, Card, List, Loaded, Note, Rating, Row, Screen } from "../../../shared/ui";
import { catalogue } from "../../../shared/words";
import type { ScreenProperties } from "../../features";
import { useSignUp } from "../../signup";

const words = catalogue({
  title: { en: "Profile", ar: "الملف الشخصي" },
  customer: { en: "Customer", ar: "عميل" },
  provider: { en: "Provider", ar: "مقدم خدمة" },
  sender: { en: "Sends parcels", ar: "يرسل الطرود" },
  verified: { en: "Verified", ar: "موثق" },
  noRating: { en: "No rating yet", ar: "لا تقييم بعد" },
  choose: { en: "Choose what others can reach you by", ar: "اختر ما يظهر للآخرين" },
  mine: { en: "This is what others see of you. Neither your number nor your e-mail address is shown", ar: "هذا ما يراه الآخرون عنك، ولا يظهر لهم رقمك ولا بريدك" },
  mineOpen: { en: "This is what others see of you, with the contacts below", ar: "هذا ما يراه الآخرون عنك، مع وسائل التواصل أدناه" },
  edit: { en: "Change the profile", ar: "تعديل الملف الشخصي" },
  call: { en: "Call", ar: "اتصال" },
  write: { en: "Write a mail", ar: "إرسال بريد" },
});

/** What people of a market see of each other: name, ratings, and how to reach them where the market opens that. */
const PersonScreen: Component<ScreenProperties> = ({ params }) => {
  const { id } = useMarket();
  const person = useGet("/identity/v1/markets/{market}/people/{account}", { market: id, account: params.account });
  const isMe = useCell(session).account === params.account;
  // One is always told one's own number; others are what one shows.
  const publishes = useSignUp().value?.publishesContact ?? false;
  const shown = useGet("/identity/v1/accounts/me/markets/{market}/contact", isMe && publishes ? { market: id } : null, ["published"]).value;
  const nameOf = (role: { role: string; titleName?: string }): string =>
    role.role === "customer" ? (id === "carrepsa" ? words.sender : words.customer) : role.titleName ?? words.provider;
  return (
    <Screen title={words.title} back="">
      <Loaded of={person}>
        {(found) => (
          <>
            <Card>
              <span class="person"><Avatar name={found.name} src={found.avatar} size={72} /><span class="display"><bdi>{found.name}</bdi></span></span>
            </Card>
            <List>
              {found.roles.map((role) => (
                <Row key={`${role.role} ${role.title}`} icon={role.role === "customer" ? "person" : "work"} title={nameOf(role)}
                  detail={role.rating ? <Rating average={role.rating.average} count={role.rating.count} /> : words.noRating}
                  end={role.verified && role.role === "provider" ? <Badge tone="good">{words.verified}</Badge> : undefined} />
              ))}
            </List>
            {isMe && <Note>{shown?.email || shown?.mobile ? words.mineOpen : words.mine}{shown && <> <a href={to("me/published")}>{words.choose}</a></>}</Note>}
            {isMe && <Button kind="second" icon="edit" href={to("me/profile")}>{words.edit}</Button>}
            {(!isMe || shown?.email || shown?.mobile) && (found.mobile || found.email) && (
              <div class="actions">
                {found.mobile && (!isMe || shown?.mobile) && <Button icon="phone" href={`tel:${found.mobile}`}>{words.call} <bdi dir="ltr">{found.mobile}</bdi></Button>}
                {found.email && (!isMe || shown?.email) && <Button kind="second" icon="mail" href={`mailto:${found.email}`}>{words.write} <bdi dir="ltr">{found.email}</bdi></Button>}
              </div>
            )}
          </>
        )}
      </Loaded>
    </Screen>
  );
};

export default PersonScreen;
