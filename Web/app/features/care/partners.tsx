import type { Component } from "preact";
import { useState } from "preact";
import { More, usePages } from "../../../shared/pages";
import { useSettled } from "../../../shared/settled";
import { Avatar, Badge, Empty, List, Loaded, Rating, Row, Sheet } from "../../../shared/ui";
import type { Person } from "./draft";
import { words } from "./visit-words";

/** Whom one would like to come: those who may do all of the services, by name. */
const Partners: Component<{ market: string; services: string[]; value?: Person; onChoose: (person: Person | undefined) => void; onClose: () => void }> = (
  { market, services, value, onChoose, onClose },
) => {
  const [text, setText] = useState("");
  const name = useSettled(text.trim());
  const pages = usePages("/dispatch/v1/markets/{market}/partners", { market, services: services.join(","), name: name || undefined, limit: 20 }, [], (one) => one.account);
  const items = pages.items ?? [];
  return (
    <Sheet title={words.partner} onClose={onClose}>
      <p class="muted">{words.partnerHint}</p>
      <div class="input"><input type="search" aria-label={words.searchPartner} placeholder={words.searchPartner} value={text} dir="auto" autocomplete="off"
        onInput={(event) => setText((event.target as HTMLInputElement).value)} /></div>
      <List><Row icon="people" title={words.anyone} current={!value} onTap={() => onChoose(undefined)} /></List>
      <Loaded of={pages.first}>
        {() => (items.length === 0 ? <Empty icon="search" title={words.noPartner} /> : (
          <>
            <List label={words.partner}>
              {items.map((one) => (
                <Row key={one.account} start={<Avatar name={one.name} src={one.avatar} />} title={<bdi>{one.name}</bdi>} current={value?.account === one.account}
                  detail={<>{one.titleName}{one.rating.average !== undefined && <> <Rating average={one.rating.average} count={one.rating.count} /></>}</>}
                  end={one.visitedMe ? <Badge tone="accent">{words.wasHere}</Badge> : undefined} onTap={() => onChoose({ account: one.account, name: one.name })} />
              ))}
            </List>
            <More of={pages} />
          </>
        ))}
      </Loaded>
    </Sheet>
  );
};

export default Partners;
