import type { Component } from "preact";
import { distance, duration, number, time } from "../../../../../shared/format";
import { catalogue } from "../../../../../shared/words";
import type { View } from "../../view";
import { words as bikes } from "./bike-words";

const words = catalogue({
  trip: { en: "Trip", ar: "الرحلة" },
  car: { en: "Car", ar: "السيارة" },
  xl: { en: "XL", ar: "كبيرة" },
  from: { en: "From", ar: "من" },
  dishes: { en: "Dishes", ar: "الأصناف" },
  ready: { en: "Ready", ar: "الجاهزية" },
  now: { en: "Now", ar: "جاهز الآن" },
  bike: { en: "Bike", ar: "الدراجة" },
});

/** What a driver who is asked has to know of a ride, a meal or a bike. */
export const OfferFacts: Component<{ view: View }> = ({ view }) => {
  const { ride, food, bike, place } = view.order;
  const way = ride ?? food ?? bike;
  return (
    <dl class="facts">
      {food && <><dt>{words.from}</dt><dd><bdi>{food.restaurantName}</bdi></dd></>}
      {!food && place.description && <><dt>{words.from}</dt><dd><bdi>{place.description}</bdi></dd></>}
      {way?.metres !== undefined && <><dt>{words.trip}</dt><dd>{distance(way.metres)}{way.seconds !== undefined && <> · {duration(way.seconds)}</>}</dd></>}
      {ride?.size === "xl" && <><dt>{words.car}</dt><dd>{words.xl}</dd></>}
      {food && <><dt>{words.dishes}</dt><dd>{number(food.items.reduce((sum, item) => sum + item.count, 0))}</dd></>}
      {food && (food.isReady || food.readyAt) && <><dt>{words.ready}</dt><dd>{food.isReady ? words.now : time(food.readyAt as string)}</dd></>}
      {bike?.type && <><dt>{words.bike}</dt><dd>{bikes[bike.type]}</dd></>}
    </dl>
  );
};
