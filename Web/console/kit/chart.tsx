import type { Component } from "preact";
import { useEffect, useRef, useState } from "preact";
import { language } from "../../shared/language";
import type { DrawnChart, Series } from "./draw-chart";

/** A chart, drawn by Chart.js, which is fetched now. Its numbers stand in a table beneath it, for those who do not see it. */
export const ChartView: Component<{ label: string; days: string[]; series: Series[]; kind?: "bar" | "line"; stacked?: boolean; format?: (value: number) => string }> = (
  { label, days, series, kind = "bar", stacked = false, format = String },
) => {
  const canvas = useRef<HTMLCanvasElement | null>(null);
  const [failed, setFailed] = useState(false);
  const settings = { days, series, kind, stacked, format, isReversed: language.get() === "ar" };
  const question = JSON.stringify(settings);
  useEffect(() => {
    let drawn: DrawnChart | undefined;
    let isGone = false;
    import("./draw-chart").then(({ draw }) => {
      if (!isGone && canvas.current) drawn = draw(canvas.current, settings);
    }, () => setFailed(true));
    return () => {
      isGone = true;
      drawn?.remove();
    };
  }, [question]);
  return failed ? null : <div class="chart"><canvas ref={canvas} role="img" aria-label={label} /></div>;
};
