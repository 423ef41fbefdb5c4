import type { Component } from "preact";
import { PlaceField } from "../../../shared/map/place-picker";
import { Note, Tabs } from "../../../shared/ui";
import { BikeChoice, types, Way, wayTabs } from "./choice";
import { words } from "./words";

/** What is asked first: how, where, and which bike. */
export const Asked: Component<BikeChoice & { label: string }> = ({ way, setWay, type, setType, place, setPlace, failure, label }) => (
  <>
    <Tabs label={words.how} items={wayTabs()} value={way} onChoose={(id) => setWay(id as Way)} />
    <PlaceField label={label} value={place} onChoose={setPlace} />
    {!place && failure && <Note tone="warning">{failure}</Note>}
    <fieldset class="field">
      <legend>{words.type}</legend>
      <div class="choices in-row">
        {types.map((one) => (
          <label key={one} class="choice">
            <input type="radio" name="bike" value={one} checked={one === type} onChange={() => setType(one)} />
            <span class="row-text">{words[one]}</span>
          </label>
        ))}
      </div>
    </fieldset>
  </>
);
