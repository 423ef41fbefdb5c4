import type { Component } from "preact";
import { useState } from "preact";
import { useCell } from "../../../shared/cell";
import { languageName, language } from "../../../shared/language";
import { modesIn, useMarket, useMode } from "../../../shared/market";
import { go, place, to } from "../../../shared/router";
import { logOut, session } from "../../../shared/session";
import { localized } from "../../../shared/words";
import { ask, Avatar, Badge, Button, Card, Icon, List, Loaded, Row, Screen, Section } from "../../../shared/ui";
import { ModeSheet } from "../../nav";
import { modeName } from "../../roles";
import { missingRoles, useSignUp } from "../../signup";
import { Support } from "../../support";
import type { PartProperties } from "./index";
import { words } from "./words";

async function leave(): Promise<void> {
  if (!(await ask({ title: words.logOutAsk, text: words.logOutText, yes: words.logOut, danger: true }))) return;
  go("welcome", { replace: true });
  await logOut();
}

const linksOf: Record<string, { path: string; icon: string; label: () => string }[]> = {
  edencare: [{ path: "family", icon: "people", label: () => words.family }],
};

export const Overview: Component<PartProperties> = ({ me }) => {
  const { market } = place.get();
  const { roles, account } = useCell(session);
  const terms = useMarket().market;
  const isOpen = terms !== undefined;
  const sells = isOpen && terms.kinds.length > 0;
  const mode = useMode();
  const [isChoosing, setChoosing] = useState(false);
  const modes = modesIn(market, roles);
  const working = roles.filter((role) => role.market === market && role.role === "provider");
  const rules = useSignUp().value;
  const canAdd = isOpen && rules !== undefined && missingRoles(rules, roles).length > 0;
  return (
    <Screen title={words.title}>
      <Loaded of={me}>
        {(profile) => (
          <Card href={to("me/profile")}>
            <span class="person">
              <Avatar name={profile.name} src={profile.avatar} size={64} />
              <span class="row-text">
                <span class="row-title"><bdi>{profile.name}</bdi></span>
                <span class="row-detail cut" dir="ltr">{profile.email ?? profile.mobile ?? ""}</span>
              </span>
              <Icon name="chevron" mirrored size={20} />
            </span>
          </Card>
        )}
      </Loaded>
      {(modes.length > 1 || canAdd || working.length > 0) && (
        <Section title={words.mode}>
          <List>
            {modes.length > 1 ? <Row icon="switch" title={modeName(mode)} detail={modes.filter((one) => one !== mode).map(modeName).join(" · ")} onTap={() => setChoosing(true)} />
              : modes.length === 1 && <Row icon="person" title={modeName(mode)} end={<Icon name="check" />} />}
            {working.map((role) => (
              <Row key={role.title} icon="document" title={words.papers} href={to(`papers/${role.title ?? ""}`)} detail={(
                <>
                  {working.length > 1 && role.titleNames && localized(role.titleNames)}
                  <span class="row-state"><Badge tone={role.state === "verified" ? "good" : role.state === "rejected" ? "danger" : "warning"}>
                    {role.state === "verified" ? words.verified : role.state === "rejected" ? words.rejected : words.waiting}
                  </Badge></span>
                </>
              )} />
            ))}
            {canAdd && <Row icon="plus" title={words.addRole} href={to("me/role")} />}
          </List>
        </Section>
      )}
      <Section title={words.account}>
        <List>
          {mode !== "customer" && <Row icon="wallet" title={words.wallet} href={to("wallet")} />}
          {isOpen && <Row icon="star" title={words.publicPage} href={to(`people/${account}`)} />}
          {isOpen && <Row icon="pin" title={words.places} href={to("places")} />}
          {(linksOf[market] ?? []).map((link) => <Row key={link.path} icon={link.icon} title={link.label()} href={to(link.path)} />)}
          {working.length > 0 && market === "assef" && <Row icon="calendar" title={words.subscription} href={to("subscription")} />}
          <Row icon="lock" title={words.security} href={to("me/security")} />
          <Row icon="inbox" title={words.notices} href={to("me/notices")} />
          {sells && mode === "customer" && <Row icon="key" title={words.programs} detail={words.programsText} href={to("keys")} />}
          <Row icon="download" title={words.data} detail={words.dataDetail} href={to("me/data")} />
        </List>
      </Section>
      <Support />
      <Section title={words.app}>
        <List>
          <Row icon="globe" title={words.settings} detail={languageName[language.get()]} href={to("me/settings")} />
          <Row icon="play" title={words.tour} href={to("tour")} />
          <Row icon="store" title={words.market} href="/" />
        </List>
      </Section>
      <Button kind="second" icon="logout" onTap={() => void leave()}>{words.logOut}</Button>
      {isChoosing && <ModeSheet onClose={() => setChoosing(false)} />}
    </Screen>
  );
};
