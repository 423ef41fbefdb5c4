import type { Component } from "preact";
import type { ScreenProperties } from "../../features";
import { Home } from "./home";
import { Prayer } from "./prayer";
import { Qibla } from "./qibla";
import { Weather } from "./weather";

const screens: Record<string, Component> = { prayer: Prayer, qibla: Qibla, weather: Weather };

/** The pilgrims' start and their guide: `guide/prayer`, `guide/qibla`, `guide/weather`. All of it is open to everybody. */
const Guide: Component<ScreenProperties> = ({ params }) => {
  const Shown = screens[params.page] ?? Home;
  return <Shown />;
};

export default Guide;
