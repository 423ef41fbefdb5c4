import type { Component } from "preact";
import type { Dispatch } from "api-types";
import { Photo } from "../../../shared/photo";
import { Icon, Rating } from "../../../shared/ui";
import { days, nameOfDay } from "./days";
import { words } from "./words";

/** What a restaurant says of itself: picture, stars, where it is, how to call it, when it is usually open. */
export const About: Component<{ restaurant: Dispatch.Restaurant }> = ({ restaurant }) => {
  const { address, phone, picture, hours = [], rating, ratings, latitude, longitude } = restaurant;
  const map = `https://www.openstreetmap.org/?mlat=${latitude}&mlon=${longitude}#map=17/${latitude}/${longitude}`;
  return (
    <div class="stack tight">
      {picture && <Photo id={picture} icon="store" large />}
      {restaurant.description && <p class="muted"><bdi>{restaurant.description}</bdi></p>}
      <p class="line wraps">
        {rating !== undefined ? <Rating average={rating} count={ratings} /> : <span class="muted small">{words.noRating}</span>}
        <a class="line tight" href={map} target="_blank" rel="noreferrer"><Icon name="pin" size={18} /><bdi>{address ?? words.onMap}</bdi></a>
        {phone && <a class="line tight" href={`tel:${phone}`}><Icon name="phone" size={18} /><bdi dir="ltr">{phone}</bdi></a>}
      </p>
      {hours.length > 0 && (
        <details class="fold">
          <summary>{words.hours}</summary>
          <dl class="facts">
            {days.filter((day) => hours.some((one) => one.day === day)).map((day) => (
              <><dt key={`${day}-t`}>{nameOfDay(day)}</dt>
                <dd key={`${day}-d`}><bdi dir="ltr">{hours.filter((one) => one.day === day).map((one) => `${one.opens} – ${one.closes}`).join(", ")}</bdi></dd></>
            ))}
          </dl>
        </details>
      )}
    </div>
  );
};
