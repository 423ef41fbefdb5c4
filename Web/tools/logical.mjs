/**
 * A style sheet for one direction as one for both: what it says of left and right becomes start and end. Debian's Bootstrap has no sheet
 * for right-to-left pages.
 */
const sides = { left: "start", right: "end" };
const corners = { "top-left": "start-start", "top-right": "start-end", "bottom-left": "end-start", "bottom-right": "end-end" };

const names = [
  [/^(margin|padding)-(left|right)$/, (_, box, side) => `${box}-inline-${sides[side]}`],
  [/^border-(left|right)(-width|-style|-color)?$/, (_, side, part = "") => `border-inline-${sides[side]}${part}`],
  [/^border-(top|bottom)-(left|right)-radius$/, (_, edge, side) => `border-${corners[`${edge}-${side}`]}-radius`],
  [/^(left|right)$/, (_, side) => `inset-inline-${sides[side]}`],
];
const important = / ?!important$/;

/** `padding:a b c d` with two different sides, as what is written along the line and across it. */
function box(name, value) {
  const end = important.exec(value)?.[0] ?? "";
  const parts = value.replace(important, "").match(/(?:[^\s(]|\([^)]*\))+/g) ?? [];
  if (parts.length !== 4 || parts[1] === parts[3]) return undefined;
  return `${name}-block:${parts[0]} ${parts[2]}${end};${name}-inline:${parts[3]} ${parts[1]}${end}`;
}

function declaration(name, value) {
  if (name === "text-align" || name === "float") {
    return `${name}:${value.replace(/^(left|right)/, (side) => (name === "float" ? "inline-" : "") + sides[side])}`;
  }
  if (name === "margin" || name === "padding") return box(name, value) ?? `${name}:${value}`;
  for (const [pattern, logical] of names) if (pattern.test(name)) return `${name.replace(pattern, logical)}:${value}`;
  return `${name}:${value}`;
}

export const logical = (sheet) => sheet.replace(/\/\*[^]*?\*\//g, "").replace(/([{;])([a-z-]+):((?:"[^"]*"|url\([^)]*\)|[^;{}"])*)(?=[;}])/g,
  (_, begin, name, value) => `${begin}${declaration(name, value.trim())}`);
