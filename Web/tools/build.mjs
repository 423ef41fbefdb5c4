// Builds the web app, and the console beside it, into OUT: types from the openapi.yaml, a type check, bundles with hashed names, one shell page for each market,
// the sprite of drawings, manifests, the service worker, and all of it compressed. Says what the core weighs.
//   node build.mjs OUT [--no-check]        PREACT is the path of the Preact module
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { buildConsole } from "./console.mjs";
import { shell } from "./shell.mjs";

const web = resolve(dirname(fileURLToPath(import.meta.url)), "..");
const project = dirname(web);
const [out, ...flags] = process.argv.slice(2);
const made = `${out}.new`;
const generated = join(project, ".build/web-generated");
const sources = join(project, ".build/web-sources");
const leaflet = "/usr/share/javascript/leaflet";
// The aim is 45 kB; what is above it now may not grow.
const coreAim = 45 * 1024;
const coreLimit = 50 * 1024;

rmSync(made, { recursive: true, force: true });
mkdirSync(join(made, "assets"), { recursive: true });
mkdirSync(join(made, "shells"), { recursive: true });
mkdirSync(generated, { recursive: true });

// The bundler's own folder: a copy of the app's sources, and for the console the sources themselves.
let from = sources;
/** Its own words say what is wrong; ours add nothing. */
function run(program, ...parameters) {
  try {
    execFileSync(program, parameters, { stdio: ["ignore", "inherit", "inherit"], cwd: program === "esbuild" ? from : web });
  } catch {
    process.exit(1);
  }
}
/** Writes a text, or bytes, under a name with their hash. */
const hashed = (name, text) => {
  const hash = createHash("sha256").update(text).digest("base64url").slice(0, 8).replace(/[-_]/g, "0");
  const file = name.replace(/(\.[^.]+)$/, `-${hash}$1`);
  writeFileSync(join(made, "assets", file), text);
  return `/assets/${file}`;
};

function writeTypes() {
  const services = ["Identity", "Dispatch", "Wallet", "Notifications", "Admin"];
  run("node", join(web, "tools/types.mjs"), join(generated, "api.ts"), ...services.map((name) => `${name}=${join(project, "Services", name, "openapi.yaml")}`));
}

/** Preact without the template strings that its module has beside it, which nobody uses: marked so that the bundler drops them. */
function preact() {
  const file = join(generated, "preact.js");
  writeFileSync(file, readFileSync(process.env.PREACT, "utf8").replace(/=function\(\w+\)\{var \w+=\w+\.get\(this\)/, (begin) => `=/* @__PURE__ */${begin.slice(1)}`));
  return file;
}

/**
 * A copy of the sources in which whatever is fetched late begins with an import of `app/core.ts`, as `main.tsx` does: then the bundler
 * makes one file of all that screens share. The files of the core do not import it: in a circle the bundler may put what is used before
 * what makes it.
 */
function copySources() {
  rmSync(sources, { recursive: true, force: true });
  for (const folder of ["app", "shared"]) cpSync(join(web, folder), join(sources, folder), { recursive: true });
  const files = readdirSync(sources, { recursive: true }).filter((file) => /\.tsx?$/.test(file)).map((file) => join(sources, file));
  const late = new Set();
  for (const file of files) {
    for (const [, path] of readFileSync(file, "utf8").matchAll(/\bimport\("(\.[^"]+)"\)/g)) {
      const target = resolve(dirname(file), path);
      late.add([".tsx", ".ts", "/index.tsx", "/index.ts"].map((end) => target + end).find((found) => files.includes(found)));
    }
  }
  late.delete(undefined);
  for (const file of late) writeFileSync(file, `import "./${relative(dirname(file), join(sources, "app/core"))}";${readFileSync(file, "utf8")}`);
}

function bundle() {
  copySources();
  const meta = join(generated, "meta.json");
  run("esbuild", "main=app/main.tsx", "style=app/styles/app.css", "later=app/styles/later.css", "leaflet=" + join(leaflet, "leaflet.css"), "--bundle", "--splitting", "--format=esm", "--minify", "--target=es2019,safari13.1",
    `--outdir=${join(made, "assets")}`, "--public-path=/assets", "--entry-names=[name]-[hash]", "--chunk-names=[name]-[hash]",
    "--asset-names=[name]-[hash]", `--metafile=${meta}`, "--jsx=transform", "--jsx-factory=h", "--jsx-fragment=Fragment",
    "--inject:shared/jsx.ts", `--alias:preact=${preact()}`, `--alias:leaflet=${join(leaflet, "leaflet.esm.js")}`,
    "--loader:.png=file", "--charset=utf8", "--log-level=warning", "--legal-comments=none");
  return JSON.parse(readFileSync(meta, "utf8")).outputs;
}

/** The drawings of `app/icons`, each a symbol with its file's name. */
function sprite() {
  const folder = join(web, "app/icons");
  const symbols = readdirSync(folder).filter((file) => file.endsWith(".svg")).sort().map((file) => {
    const inside = /<svg[^>]*>([\s\S]*)<\/svg>/.exec(readFileSync(join(folder, file), "utf8"))[1].trim().replace(/\n\s*/g, "");
    return `<symbol id="${basename(file, ".svg")}" viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="1.8" stroke-linecap="round" stroke-linejoin="round">${inside}</symbol>`;
  });
  return hashed("icons.svg", `<svg xmlns="http://www.w3.org/2000/svg">${symbols.join("")}</svg>`);
}

/** A drawing as a picture of so many pixels a side: some phones take no drawings for the icon of an app. */
const picture = (name, drawing, side) => hashed(`${name}-${side}.png`, execFileSync("rsvg-convert", ["--width", String(side), "--height", String(side), "--format", "png"], { input: drawing }));

function marketFiles(id, market) {
  const ink = id === "carrepsa" ? "#fbbf24" : id === "hajji" ? "#ecdcb6" : "#ffffff";
  // The mark keeps to the middle three fifths, so that the same drawing serves round, cut and whole.
  const drawing = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><rect width="24" height="24" fill="${market.theme}"/><g transform="translate(4.8 4.8) scale(.6)" fill="none" stroke="${ink}" stroke-width="2" stroke-linecap="round" stroke-linejoin="round"><path d="${market.icon}"/></g></svg>`;
  const icon = hashed(`${id}.svg`, drawing);
  const touchIcon = picture(id, drawing, 180);
  const sizes = [192, 512].map((side) => ({ src: picture(id, drawing, side), sizes: `${side}x${side}`, type: "image/png" }));
  const manifest = hashed(`${id}.webmanifest`, JSON.stringify({
    id: `/${id}/`, name: market.name.en, short_name: market.name.en, description: market.tagline.en, start_url: `/${id}/`, scope: "/", display: "standalone",
    theme_color: market.theme, background_color: "#f6f7f8",
    icons: [{ src: icon, sizes: "any", type: "image/svg+xml", purpose: "any" }, ...["any", "maskable"].flatMap((purpose) => sizes.map((size) => ({ ...size, purpose })))],
  }));
  return { icon, touchIcon, manifest };
}

const named = (outputs, entry) => Object.keys(outputs).find((file) => outputs[file].entryPoint === entry);
/** What an output needs at once: itself and what it imports statically. */
function needs(outputs, file, found = new Set()) {
  if (found.has(file)) return found;
  found.add(file);
  for (const part of outputs[file].imports) if (part.kind === "import-statement" && outputs[part.path]) needs(outputs, part.path, found);
  return found;
}
const asset = (file) => `/assets/${basename(file)}`;

function writeShells(outputs, markets, parts) {
  const main = named(outputs, "app/main.tsx");
  const style = named(outputs, "app/styles/app.css");
  const common = {
    main: asset(main), style: asset(style), later: asset(named(outputs, "app/styles/later.css")), sprite: parts.sprite, leaflet: asset(named(outputs, "../../../../usr/share/javascript/leaflet/leaflet.css") ?? Object.keys(outputs).find((file) => /leaflet-\w+\.css$/.test(file))),
    preloads: [...needs(outputs, main)].filter((file) => file !== main).map(asset),
  };
  for (const [id, market] of Object.entries(markets)) {
    writeFileSync(join(made, "shells", `${id}.html`), shell({ ...common, ...marketFiles(id, market), id, title: market.name.en, theme: market.theme, description: market.tagline.en }));
  }
  const anyMarket = shell({ ...common, id: "", title: "Serai", theme: "#f6f7f8", description: "Care, rides, food, bikes and parcels" });
  writeFileSync(join(made, "index.html"), anyMarket);
  // Where the links of mails and the pages of others lead back to; none of them names a market.
  for (const path of ["confirm", "password", "contact", "role", "nafath", "payments", "login", "me", "keys"]) writeFileSync(join(made, "shells", `${path}.html`), anyMarket);
  return common;
}

/** The service worker knows by their names what a start needs, and what may come later. */
function writeWorker(outputs, common) {
  const start = [common.main, common.style, common.later, common.sprite, ...common.preloads];
  const later = Object.keys(outputs).filter((file) => file.endsWith(".js")).map(asset).filter((file) => !start.includes(file) && !/leaflet/.test(file));
  const version = createHash("sha256").update(JSON.stringify([start, later])).digest("hex").slice(0, 12);
  run("esbuild", "app/worker.ts", "--bundle", "--minify", "--target=es2019", `--outfile=${join(made, "sw.js")}`, "--log-level=warning",
    `--define:VERSION=${JSON.stringify(version)}`, `--define:START=${JSON.stringify(JSON.stringify(start))}`, `--define:LATER=${JSON.stringify(JSON.stringify(later))}`);
}

function compress(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) compress(path);
    else if (/\.(js|css|svg|html|webmanifest)$/.test(entry.name)) {
      const text = readFileSync(path);
      writeFileSync(`${path}.gz`, gzipSync(text, { level: 9 }));
      writeFileSync(`${path}.br`, brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }));
    }
  }
}

const weight = (path) => gzipSync(readFileSync(path), { level: 9 }).length;

// The screens that come before an order is sent, from the start on; maps come beside them.
const ways = {
  visit: ["home/index", "care/home", "care/providers"],
  "home care": ["home/index", "care/home", "care/when", "care/summary"],
  ride: ["home/index", "ride/home", "ride/index"],
  parcel: ["home/index", "parcels/home", "parcels/send", "parcels/price"],
};

/** What has to come before somebody can order: the shell, the sheet, the drawings, the app, and the screens of the way. */
function weigh(outputs, common) {
  const sizes = {};
  for (const [way, screens] of Object.entries(ways)) {
    const files = new Set(needs(outputs, named(outputs, "app/main.tsx")));
    for (const screen of screens) {
      const file = named(outputs, `app/features/${screen}.tsx`);
      if (file) needs(outputs, file, files);
    }
    const parts = [join(made, "index.html"), join(made, common.style), join(made, common.sprite), ...[...files].map((file) => join(made, "assets", basename(file)))];
    sizes[way] = Object.fromEntries(parts.map((path) => [basename(path), weight(path)]));
  }
  const sums = Object.entries(sizes).map(([way, parts]) => [way, Object.values(parts).reduce((sum, bytes) => sum + bytes, 0)]);
  const core = Math.max(...sums.map(([, sum]) => sum));
  const chunks = Object.fromEntries(readdirSync(join(made, "assets")).filter((name) => /\.(js|css)$/.test(name)).map((name) => [name, weight(join(made, "assets", name))]));
  writeFileSync(join(generated, "sizes.json"), JSON.stringify({ core, aim: coreAim, limit: coreLimit, ways: sizes, chunks }, null, 2));
  console.log(`gzip until one can order, aim ${coreAim / 1024} kB: ${sums.map(([way, sum]) => `${way} ${(sum / 1024).toFixed(1)}`).join(", ")}`);
  if (core <= coreLimit) return;
  console.error("that is over the limit; .build/web-generated/sizes.json says what weighs what");
  process.exit(1);
}

const day = 24 * 3600_000;

/** Moves the new files into the folder that Caddy serves. The folder itself stays, for a container may be bound to it. Assets come
    before the pages that name them; pages that are open now find replaced assets for a day. */
function publish() {
  const list = join(generated, "published.json");
  const before = existsSync(list) ? JSON.parse(readFileSync(list, "utf8")) : [];
  const now = readdirSync(join(made, "assets"));
  for (const folder of ["assets", "shells", "."]) {
    mkdirSync(join(out, folder), { recursive: true });
    for (const entry of readdirSync(join(made, folder), { withFileTypes: true })) {
      if (entry.isFile()) renameSync(join(made, folder, entry.name), join(out, folder, entry.name));
    }
  }
  writeFileSync(list, JSON.stringify(now));
  for (const name of readdirSync(join(out, "assets")).filter((name) => !now.includes(name))) {
    const path = join(out, "assets", name);
    if (before.includes(name)) utimesSync(path, new Date(), new Date());
    else if (Date.now() - statSync(path).mtimeMs > day) rmSync(path);
  }
  rmSync(made, { recursive: true });
}

writeTypes();
if (!flags.includes("--no-check")) run("tsc", "--noEmit", "-p", join(web, "tsconfig.json"));
const outputs = Object.fromEntries(Object.entries(bundle()).filter(([file]) => !file.endsWith(".map")));
const markets = JSON.parse(readFileSync(join(web, "shared/markets.json"), "utf8"));
const common = writeShells(outputs, markets, { sprite: sprite() });
writeWorker(outputs, common);
weigh(outputs, common);
from = web;
buildConsole({ made, generated, run, preact: preact(), leaflet, needs, parts: { sprite: common.sprite, leaflet: common.leaflet } });
compress(made);
publish();
