// The operations console: a second app beside the first, of the same kit, with Bootstrap's sheet and, on pages that have charts, Chart.js.
import { readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { logical } from "./logical.mjs";
import { shell } from "./shell.mjs";

const bootstrap = "/usr/share/javascript/bootstrap5/css/bootstrap.min.css";
const charts = "/usr/share/javascript/chart.js/chart.esm.js";

/** Bundles it into `made/assets` and writes its page, `made/shells/console.html`, which Caddy gives for every address behind /console/. */
export function buildConsole({ made, generated, run, preact, leaflet, needs, parts }) {
  writeFileSync(join(generated, "bootstrap.css"), logical(readFileSync(bootstrap, "utf8")));
  const meta = join(generated, "console.json");
  run("esbuild", "console=console/main.tsx", "console-style=console/styles/console.css", "--bundle", "--splitting", "--format=esm", "--minify",
    "--target=es2021", `--outdir=${join(made, "assets")}`, "--public-path=/assets", "--entry-names=[name]-[hash]", "--chunk-names=[name]-[hash]",
    "--asset-names=[name]-[hash]", `--metafile=${meta}`, "--jsx=transform", "--jsx-factory=h", "--jsx-fragment=Fragment",
    "--inject:shared/jsx.ts", `--alias:preact=${preact}`, `--alias:leaflet=${join(leaflet, "leaflet.esm.js")}`, `--alias:chart.js=${charts}`,
    "--loader:.png=file", "--loader:.svg=dataurl", "--charset=utf8", "--log-level=warning", "--legal-comments=none");
  const { outputs } = JSON.parse(readFileSync(meta, "utf8"));
  const asset = (end) => `/assets/${basename(Object.keys(outputs).find((file) => outputs[file].entryPoint === end))}`;
  const main = Object.keys(outputs).find((file) => outputs[file].entryPoint === "console/main.tsx");
  const page = shell({
    ...parts, id: "", title: "Serai console", theme: "#f6f7f8", description: "Operations of all markets", main: asset("console/main.tsx"), style: asset("console/styles/console.css"),
    later: undefined, preloads: [...needs(outputs, main)].filter((file) => file !== main).map((file) => `/assets/${basename(file)}`),
  });
  writeFileSync(join(made, "shells/console.html"), page);
}
