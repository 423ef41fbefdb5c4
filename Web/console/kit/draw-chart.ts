// Fetched with the first chart: Chart.js with the parts that are used here.
import { BarController, BarElement, CategoryScale, Chart, Legend, LinearScale, LineController, LineElement, PointElement, Tooltip } from "chart.js";

export interface Series {
  name: string;
  values: (number | null)[];
}
export interface DrawnChart {
  remove(): void;
}
interface Settings {
  days: string[];
  series: Series[];
  kind: "bar" | "line";
  stacked: boolean;
  format: (value: number) => string;
  /** Time runs to the left where the page does. */
  isReversed: boolean;
}

Chart.register(BarController, BarElement, CategoryScale, Legend, LinearScale, LineController, LineElement, PointElement, Tooltip);

// Colours that differ in lightness, too, on white.
const colours = ["#0f5c8c", "#d9822b", "#3b7a1f", "#8a3ffc", "#b3261e", "#6b7280", "#00a3a3", "#c4a000", "#e0569b", "#1f1a14"];

export function draw(canvas: HTMLCanvasElement, { days, series, kind, stacked, format, isReversed }: Settings): DrawnChart {
  const style = getComputedStyle(document.body);
  Chart.defaults.font.family = style.fontFamily;
  Chart.defaults.color = style.color;
  Chart.defaults.animation = false;
  const chart = new Chart(canvas, {
    type: kind,
    data: {
      labels: days,
      datasets: series.map((one, index) => ({
        label: one.name, data: one.values, backgroundColor: colours[index % colours.length], borderColor: colours[index % colours.length], borderWidth: kind === "line" ? 2 : 0, pointRadius: 2, spanGaps: true, maxBarThickness: 40,
      })),
    },
    options: {
      responsive: true, maintainAspectRatio: false,
      scales: {
        x: { stacked, reverse: isReversed, grid: { display: false } },
        y: { stacked, beginAtZero: true, position: isReversed ? "right" : "left", ticks: { precision: 0, maxTicksLimit: 6, callback: (value: number) => format(value) } },
      },
      plugins: {
        legend: { display: series.length > 1, rtl: isReversed, position: "bottom", labels: { boxWidth: 12 } },
        tooltip: { rtl: isReversed, callbacks: { label: (item: { dataset: { label: string }; parsed: { y: number } }) => `${item.dataset.label}: ${format(item.parsed.y)}` } },
      },
    },
  });
  return { remove: () => chart.destroy() };
}
