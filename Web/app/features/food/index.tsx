import type { Component } from "preact";
import { useEffect, useState } from "preact";
import { placeAt, useHere } from "../../../shared/device/here";
import { distance, duration } from "../../../shared/format";
import { useKept } from "../../../shared/kept";
import { ChosenPlace, PlaceField } from "../../../shared/map/place-picker";
import { useMarket } from "../../../shared/market";
import { Photo } from "../../../shared/photo";
import { useGet } from "../../../shared/resources";
import { to } from "../../../shared/router";
import { useSettled } from "../../../shared/settled";
import { Button, Empty, List, Loaded, Note, Rating, Row, Screen, Skeleton } from "../../../shared/ui";
import type { ScreenProperties } from "../../features";
import { words } from "./words";

/** Where food is brought: the place that was chosen last, else where one is. */
export function useDelivery(): { target?: ChosenPlace; setTarget: (place: ChosenPlace) => void; isLooking: boolean; failure?: string } {
  const { id: market } = useMarket();
  const here = useHere();
  const [target, setTarget] = useKept<ChosenPlace>("food-to");
  useEffect(() => {
    if (target || !here.at) return;
    void placeAt(market, here.at).then((found) => { if (found) setTarget(found); }, () => undefined);
  }, [here.at, target]);
  return { target, setTarget, isLooking: here.isLooking, failure: here.failure };
}

/** The open restaurants around a place. */
const Restaurants: Component<ScreenProperties> = () => {
  const { id: market, market: terms } = useMarket();
  const { target, setTarget, isLooking, failure } = useDelivery();
  const [text, setText] = useState("");
  const name = useSettled(text.trim());
  const found = useGet("/dispatch/v1/markets/{market}/restaurants",
    target ? { market, latitude: target.latitude, longitude: target.longitude, limit: 50, ...(name ? { name } : {}) } : null);
  return (
    <Screen title={words.title} back="">
      <PlaceField label={words.deliverTo} value={target} onChoose={setTarget} />
      {!target && failure && <Note tone="warning">{failure}</Note>}
      <div class="input">
        <input type="search" aria-label={words.search} placeholder={words.search} value={text} dir="auto" autocomplete="off" maxLength={100}
          onInput={(event) => setText((event.target as HTMLInputElement).value)} />
      </div>
      {!target ? (isLooking ? <Skeleton rows={5} /> : <Empty icon="pin" title={words.where} />) : (
        <Loaded of={found} skeleton={<Skeleton rows={5} />}>
          {(answer) => answer.items.length === 0
            ? name ? <Empty icon="search" title={words.noMatch}><Button kind="second" onTap={() => setText("")}>{words.all}</Button></Empty>
              : <Empty icon="store" title={words.none(distance(terms?.settings.searchRadiusMetres ?? 10_000))} text={words.noneText} />
            : (
              <>
                <p class="muted" role="status">{words.count(answer.items.length)}</p>
                <List label={words.title}>
                  {answer.items.map((one) => (
                    <Row key={one.restaurant} start={<Photo id={one.picture} icon="store" />} href={to(`food/${one.restaurant}`)} title={<bdi>{one.name}</bdi>}
                      detail={<>
                        {one.description && <><bdi>{one.description}</bdi><br /></>}
                        {distance(one.metres)} · {words.ready(duration(one.preparationMinutes * 60))}<br />
                        {one.rating !== undefined ? <Rating average={one.rating} count={one.ratings} /> : words.noRating}
                      </>} />
                  ))}
                </List>
              </>
            )}
        </Loaded>
      )}
    </Screen>
  );
};

export default Restaurants;
