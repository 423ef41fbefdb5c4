import type { Component } from "preact";
import { useCell } from "../../../shared/cell";
import { modesIn } from "../../../shared/market";
import { chooseMode } from "../../../shared/market";
import { money } from "../../../shared/format";
import { useGet } from "../../../shared/resources";
import { place, to } from "../../../shared/router";
import { session } from "../../../shared/session";
import { Button, Card, Icon } from "../../../shared/ui";
import { words } from "./words";

/** The start of Carrepsa: one big thing, and the way to the board. */
const ParcelsHome: Component = () => {
  const { market } = place.get();
  const sent = useGet("/dispatch/v1/markets/{market}/parcels/sent", { market }, ["orders"]).value?.items.filter((one) => one.parcels > 0) ?? [];
  const carries = modesIn(market, useCell(session).roles).includes("provider");
  return (
    <div class="stack">
      <Button icon="parcel" href={to("send")} wide>{words.send}</Button>
      <p class="muted center">{words.sendBrief}</p>
      {sent.length > 0 && <p class="muted center">{sent.map((one) => words.sentInAll(one.parcels, money(one.paid))).join(" · ")}</p>}
      {carries ? (
        <a class="card tappable" href={to("board")} onClick={() => chooseMode(market, "provider")}>
          <span class="line"><span class="row-icon"><Icon name="walk" /></span>
            <span class="row-text"><span class="row-title">{words.carry}</span><span class="row-detail">{words.carryBrief}</span></span>
            <Icon name="chevron" mirrored size={20} /></span>
        </a>
      ) : (
        <Card href={to("me/role")}>
          <span class="line"><span class="row-icon"><Icon name="walk" /></span>
            <span class="row-text"><span class="row-title">{words.carry}</span><span class="row-detail">{words.becomeCarrier}</span></span>
            <Icon name="chevron" mirrored size={20} /></span>
        </Card>
      )}
    </div>
  );
};

export default ParcelsHome;
