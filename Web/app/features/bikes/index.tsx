import type { Component } from "preact";
import { useEffect } from "preact";
import { placeAt, useHere } from "../../../shared/device/here";
import { useKept } from "../../../shared/kept";
import { ChosenPlace } from "../../../shared/map/place-picker";
import { useMarket } from "../../../shared/market";
import type { ScreenProperties } from "../../features";
import { BringBike } from "./bring";
import type { BikeChoice, BikeType, Way } from "./choice";
import { FetchBike } from "./fetch";

/** A bike: fetched at a rack, or brought. */
const Bikes: Component<ScreenProperties> = () => {
  const { id: market } = useMarket();
  const here = useHere();
  const [way, setWay] = useKept<Way>("bike-way");
  const [type, setType] = useKept<BikeType>("bike-type");
  const [place, setPlace] = useKept<ChosenPlace>("bike-place");
  useEffect(() => {
    if (place || !here.at) return;
    void placeAt(market, here.at).then((found) => { if (found) setPlace(found); }, () => undefined);
  }, [here.at, place]);
  const choice: BikeChoice = {
    way: way ?? "fetch", setWay, type: type ?? "city", setType, place, setPlace, isLooking: here.isLooking, failure: here.failure,
  };
  return choice.way === "fetch" ? <FetchBike {...choice} /> : <BringBike {...choice} />;
};

export default Bikes;
