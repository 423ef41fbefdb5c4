import type { Component } from "preact";
import { useEffect, useRef, useState } from "preact";
import { api } from "../api/client";
import { textOf } from "../api/problem";
import { useCell } from "../cell";
import { Coordinates, currentPosition, mayReadPosition } from "../device/position";
import { useMarket } from "../market";
import { invalidate, useGet } from "../resources";
import { session } from "../session";
import { Button, Icon, List, Note, Row, Sheet, Skeleton } from "../ui";
import { catalogue } from "../words";
import { MapView } from "./index";

const words = catalogue({
  search: { en: "Search for a street or a place", ar: "ابحث عن شارع أو مكان" },
  here: { en: "Select my current location", ar: "تحديد موقعي الحالي" },
  saved: { en: "Saved locations", ar: "المواقع المحفوظة" },
  recent: { en: "Recent places", ar: "الأماكن الأخيرة" },
  choose: { en: "Select location", ar: "تحديد الموقع" },
  move: { en: "Move the map until the pin points at the place", ar: "حرّك الخريطة حتى يشير الدبوس إلى المكان" },
  outside: { en: "We do not serve this place yet. Choose another one", ar: "لا نخدم هذا المكان بعد. اختر مكانًا آخر" },
  pinned: { en: "Place on the map", ar: "مكان على الخريطة" },
  nothing: { en: "Nothing found. Write it differently, or point at it on the map", ar: "لا توجد نتائج. جرّب كتابة أخرى أو حدده على الخريطة" },
  change: { en: "Change", ar: "تغيير" },
});

/** A place that somebody has chosen. */
export interface ChosenPlace extends Coordinates {
  name: string;
  /** Street and number, where the saved place has them. */
  address?: string;
  /** The account's saved place, where it is one. */
  saved?: string;
}

interface Found extends Coordinates {
  name: string;
  served: boolean;
}

/** The places that a text may mean, a moment after the last letter. */
function useSearch(market: string, text: string): { items?: Found[]; error?: unknown } {
  const [found, setFound] = useState<{ items?: Found[]; error?: unknown }>({});
  useEffect(() => {
    if (text.trim().length < 2) return setFound({});
    let isOld = false;
    const timer = setTimeout(() => {
      api.get("/dispatch/v1/markets/{market}/places", { market, text: text.trim() }).then(
        (answer) => { if (!isOld) setFound({ items: answer.items }); }, (error) => { if (!isOld) setFound({ error }); });
    }, 300);
    return () => {
      isOld = true;
      clearTimeout(timer);
    };
  }, [text, market]);
  return found;
}

/** Where the market's middle is, until something better is known. */
export function middle(area: { latitude: number; longitude: number }[] | undefined): Coordinates {
  if (!area?.length) return { latitude: 24.7136, longitude: 46.6753 };
  const mean = (pick: (at: Coordinates) => number): number => area.reduce((sum, at) => sum + pick(at), 0) / area.length;
  return { latitude: mean((at) => at.latitude), longitude: mean((at) => at.longitude) };
}

/** Chooses a place: by one's own position, a search, a saved place, or the pin on the map. */
export const PlacePicker: Component<{ title: string; start?: Coordinates; onChoose: (place: ChosenPlace) => void; onClose: () => void }> = (
  { title, start, onChoose, onClose },
) => {
  const { id: market, market: terms } = useMarket();
  const isIn = useCell(session).state === "in";
  const saved = useGet("/identity/v1/accounts/me/places", isIn ? { market, limit: 50 } : null, ["places"]);
  const recent = useGet("/identity/v1/accounts/me/markets/{market}/recent-places", isIn ? { market } : null, ["recent-places"]).value?.items.slice(0, 5) ?? [];
  const cities = useGet("/dispatch/v1/markets/{market}/cities", { market });
  const [text, setText] = useState("");
  const [target, setTarget] = useState<Coordinates | undefined>(start);
  const [named, setNamed] = useState<{ name?: string; served: boolean } | undefined>(undefined);
  const [failure, setFailure] = useState<string | undefined>(undefined);
  const [isLocating, setLocating] = useState(false);
  const search = useSearch(market, isIn ? text : "");
  const centre = useRef<Coordinates | undefined>(undefined);
  const at = centre.current ?? target ?? cities.value?.items[0] ?? middle(terms?.settings.serviceArea);

  const look = (place: Coordinates): void => {
    centre.current = place;
    setNamed(undefined);
    if (!isIn) return setNamed({ served: true });
    api.get("/dispatch/v1/markets/{market}/places/at", { market, latitude: place.latitude, longitude: place.longitude }).then(
      (answer) => { if (centre.current === place) setNamed(answer); }, (error) => setFailure(textOf(error)));
  };
  const locate = async (): Promise<void> => {
    setLocating(true);
    setFailure(undefined);
    try {
      const found = await currentPosition();
      setTarget({ latitude: found.latitude, longitude: found.longitude });
      look(found);
    } catch (error) {
      setFailure(textOf(error));
    }
    setLocating(false);
  };
  useEffect(() => {
    if (!start) void mayReadPosition().then((may) => { if (may) void locate(); });
    if (start) look(start);
  }, []);

  const results = search.items;
  const choose = (place: ChosenPlace): void => {
    const { name, latitude, longitude } = place;
    if (isIn && !place.saved && name !== words.pinned) {
      void api.put("/identity/v1/accounts/me/markets/{market}/recent-places", { market }, { name: name.slice(0, 100), coordinates: { latitude, longitude } })
        .then(() => invalidate("recent-places"), () => undefined);
    }
    onChoose(place);
  };
  const kept = [...saved.value?.items ?? []].sort((one, other) => Number(other.favourite) - Number(one.favourite));
  return (
    <Sheet title={title} onClose={onClose} full>
      {isIn && (
        <div class="input">
          <input type="search" aria-label={words.search} placeholder={words.search} value={text} dir="auto" autocomplete="off"
            onInput={(event) => setText((event.target as HTMLInputElement).value)} />
        </div>
      )}
      {text.trim().length >= 2 ? (
        <div class="place-results">
          {search.error ? <Note tone="warning">{textOf(search.error)}</Note> : !results ? <Skeleton rows={3} /> : !results.length ? <Note>{words.nothing}</Note> : (
            <List>
              {results.map((place, index) => (
                <Row key={index} icon="pin" title={<bdi>{place.name}</bdi>} detail={place.served ? undefined : words.outside}
                  onTap={() => { setText(""); setTarget(place); look(place); }} />
              ))}
            </List>
          )}
        </div>
      ) : (
        <>
          <Button kind="second" icon="locate" busy={isLocating} onTap={() => void locate()}>{words.here}</Button>
          {failure && <Note tone="warning" live>{failure}</Note>}
          {(cities.value || cities.error || target) ? (
            <MapView centre={at} follow={target} tall pinsCentre onMove={look} />
          ) : <Skeleton kind="card" rows={2} />}
          <p class="hint" role="status">{named ? (named.served ? <bdi>{named.name ?? words.move}</bdi> : words.outside) : words.move}</p>
          <Button disabled={!centre.current && !target || named?.served === false}
            onTap={() => { const chosen = centre.current ?? (target as Coordinates); choose({ latitude: chosen.latitude, longitude: chosen.longitude, name: named?.name ?? words.pinned }); }}>
            {words.choose}
          </Button>
          {recent.length > 0 && (
            <section class="section">
              <h2>{words.recent}</h2>
              <List>{recent.map((place) => <Row key={place.place} icon="clock" title={<bdi>{place.name}</bdi>} onTap={() => choose({ ...place.coordinates, name: place.name })} />)}</List>
            </section>
          )}
          {kept.length > 0 && (
            <section class="section">
              <h2>{words.saved}</h2>
              <List>
                {kept.map((place) => (
                  <Row key={place.place} icon={place.favourite ? "star" : place.label === "other" ? "pin" : place.label} title={<bdi>{place.name}</bdi>}
                    detail={place.served ? <bdi>{place.address ?? place.description ?? ""}</bdi> : words.outside}
                    onTap={place.served ? () => choose({ ...place.coordinates, name: place.name, address: place.address ?? undefined, saved: place.place }) : undefined} />
                ))}
              </List>
            </section>
          )}
        </>
      )}
    </Sheet>
  );
};

/** A field of a form that holds a place. */
export const PlaceField: Component<{ id?: string; label: string; value: ChosenPlace | undefined; fault?: string | false; onChoose: (place: ChosenPlace) => void }> = (
  { id, label, value, fault, onChoose },
) => {
  const [isOpen, setOpen] = useState(false);
  return (
    <div class={fault ? "field wrong" : "field"}>
      <button type="button" id={id} class="card tappable" aria-describedby={fault && id ? `${id}-fault` : undefined} onClick={() => setOpen(true)}>
        <span class="line"><Icon name="pin" />
          <span class="row-text"><span class="row-title">{label}</span>{value && <span class="row-detail"><bdi>{value.name}</bdi></span>}</span>
          <span class="muted">{value ? words.change : ""}</span><Icon name="chevron" mirrored size={20} />
        </span>
      </button>
      {fault && <p class="fault" id={id && `${id}-fault`}><Icon name="warning" size={16} />{fault}</p>}
      {isOpen && <PlacePicker title={label} start={value} onClose={() => setOpen(false)} onChoose={(place) => { setOpen(false); onChoose(place); }} />}
    </div>
  );
};
