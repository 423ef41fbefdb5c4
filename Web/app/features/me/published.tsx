import type { Component } from "preact";
import { useState } from "preact";
import { api } from "../../../shared/api/client";
import { textOf } from "../../../shared/api/problem";
import { invalidate, useGet } from "../../../shared/resources";
import { usePlace } from "../../../shared/router";
import { List, Loaded, Note, Screen, Switch, toast } from "../../../shared/ui";
import type { PartProperties } from "./index";
import { words } from "./words";

/** Which of one's contacts everybody of the market reads. */
export const Published: Component<PartProperties> = ({ me }) => {
  const { market } = usePlace();
  const shown = useGet("/identity/v1/accounts/me/markets/{market}/contact", { market }, ["published"]);
  const [isBusy, setBusy] = useState(false);
  const change = async (part: { email?: boolean; mobile?: boolean }): Promise<void> => {
    if (!shown.value) return;
    setBusy(true);
    try {
      await api.put("/identity/v1/accounts/me/markets/{market}/contact", { market }, { ...shown.value, ...part });
    } catch (error) {
      toast(textOf(error));
    }
    await shown.reload();
    invalidate("me");
    setBusy(false);
  };
  const { email, mobile } = me.value ?? {};
  return (
    <Screen title={words.published} back="me/profile">
      <Loaded of={shown}>
        {(found) => (
          <List>
            {mobile && <li><Switch on={found.mobile} busy={isBusy} label={words.showMobile} detail={<bdi dir="ltr">{mobile}</bdi>} onChange={(on) => void change({ mobile: on })} /></li>}
            {email && <li><Switch on={found.email} busy={isBusy} label={words.showEmail} detail={<bdi dir="ltr">{email}</bdi>} onChange={(on) => void change({ email: on })} /></li>}
          </List>
        )}
      </Loaded>
      <Note icon="shield">{words.publishedText}</Note>
    </Screen>
  );
};
