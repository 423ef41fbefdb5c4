import type { Component } from "preact";
import { useState } from "preact";
import { api } from "../../../shared/api/client";
import { textOf } from "../../../shared/api/problem";
import { ago } from "../../../shared/format";
import { invalidate, useGet } from "../../../shared/resources";
import { go, to } from "../../../shared/router";
import { logOut } from "../../../shared/session";
import { ask, Badge, Button, List, Loaded, Row, Screen, Section, toast, undoable } from "../../../shared/ui";
import type { PartProperties } from "./index";
import { words } from "./words";

export const Devices: Component<PartProperties> = () => {
  const devices = useGet("/identity/v1/sessions", {}, ["sessions"]);
  const factor = useGet("/identity/v1/accounts/me/second-factor", {}, ["factor"]);
  const [ended, setEnded] = useState<string[]>([]);
  const end = (id: string): void => {
    setEnded([...ended, id]);
    const restore = (): void => setEnded((old) => old.filter((one) => one !== id));
    undoable(words.ended, () => api.delete("/identity/v1/sessions/{session}", { session: id }).then(() => invalidate("sessions"), (error) => {
      restore();
      toast(textOf(error));
    }), restore);
  };
  const everywhere = async (): Promise<void> => {
    if (!(await ask({ title: words.everywhere, text: words.everywhereText, yes: words.everywhere, danger: true }))) return;
    try {
      await api.delete("/identity/v1/sessions");
      go("welcome", { replace: true });
      await logOut();
    } catch (error) {
      toast(textOf(error));
    }
  };
  return (
    <Screen title={words.security} back="me">
      <List>
        <Row icon="lock" title={words.changePassword} href={to("me/password")} />
        <Row icon="shield" title={words.factor} detail={factor.value?.enrolled ? words.factorOn : words.factorOff} href={to("me/factor")} />
      </List>
      <Section title={words.devices}>
        <Loaded of={devices}>
          {(found) => (
            <List>
              {found.items.filter((one) => !ended.includes(one.session)).map((one) => (
                <Row key={one.session} icon="device" title={<bdi>{one.device ?? words.someDevice}</bdi>} detail={words.lastUsed(ago(one.lastUsedAt))}
                  end={one.current ? <Badge tone="accent">{words.thisDevice}</Badge> : <Button kind="quiet" small onTap={() => end(one.session)}>{words.endDevice}</Button>} />
              ))}
            </List>
          )}
        </Loaded>
      </Section>
      <Button kind="second" onTap={() => void everywhere()}>{words.everywhere}</Button>
    </Screen>
  );
};
