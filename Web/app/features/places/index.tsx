import type { Component } from "preact";
import { api } from "../../../shared/api/client";
import { textOf } from "../../../shared/api/problem";
import { useGet } from "../../../shared/resources";
import { usePlace } from "../../../shared/router";
import { to } from "../../../shared/router";
import { Badge, Button, Empty, IconButton, List, Loaded, Row, Screen, Section, toast } from "../../../shared/ui";
import { More, usePages } from "../../../shared/pages";
import type { ScreenProperties } from "../../features";
import { leaving } from "./leaving";
import { words } from "./words";

const icons = { home: "home", work: "work", other: "pin" };

/** The places that somebody has saved in this market. */
const Places: Component<ScreenProperties> = () => {
  const { market } = usePlace();
  const places = usePages("/identity/v1/accounts/me/places", { market, limit: 50 }, ["places"], (one) => one.place);
  const items = (places.items?.filter((place) => !leaving.has(place.place)) ?? []).sort((one, other) => Number(other.favourite) - Number(one.favourite));
  const recent = useGet("/identity/v1/accounts/me/markets/{market}/recent-places", { market }, ["recent-places"]);
  const forget = async (place?: string): Promise<void> => {
    try {
      await (place ? api.delete("/identity/v1/accounts/me/markets/{market}/recent-places/{place}", { market, place }) : api.delete("/identity/v1/accounts/me/markets/{market}/recent-places", { market }));
    } catch (error) {
      toast(textOf(error));
    }
    await recent.reload();
  };
  return (
    <Screen title={words.title} back="me" footer={<Button icon="plus" href={to("places/add")}>{words.add}</Button>}>
      <Loaded of={places.first}>
        {() => (items.length === 0 ? <Empty icon="pin" title={words.none} text={words.noneText} /> : (
          <>
            <List>
              {items.map((place) => (
                <Row key={place.place} icon={place.favourite ? "star" : icons[place.label]} title={<bdi>{place.name}</bdi>} href={to(`places/${place.place}`)}
                  detail={<><bdi>{place.address ?? place.description ?? ""}</bdi>{place.warnings?.map((one) => <span key={one.code} class="row-state"><Badge tone="warning">{words.mend}</Badge></span>)}</>}
                  end={place.served ? undefined : <Badge tone="warning">{words.outside}</Badge>} />
              ))}
            </List>
            <More of={places} />
          </>
        ))}
      </Loaded>
      {recent.value && recent.value.items.length > 0 && (
        <Section title={words.recent} end={<Button kind="quiet" small onTap={() => void forget()}>{words.forgetAll}</Button>}>
          <List label={words.recent}>
            {recent.value.items.map((one) => (
              <Row key={one.place} icon="clock" title={<bdi>{one.name}</bdi>} end={<IconButton icon="close" label={words.forget(one.name)} onTap={() => void forget(one.place)} />} />
            ))}
          </List>
        </Section>
      )}
    </Screen>
  );
};

export default Places;
