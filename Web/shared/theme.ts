import { Cell } from "./cell";

export type Theme = "auto" | "light" | "dark" | "sun";
const kept = "serai-theme";
const large = "serai-text";

export const theme = new Cell<Theme>((localStorage.getItem(kept) as Theme | null) ?? "auto");
/** In per cent of the browser's own size. */
export const textSize = new Cell<number>(Number(localStorage.getItem(large) ?? 100));

export function followTheme(): void {
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const apply = (): void => {
    const chosen = theme.get();
    document.documentElement.dataset.theme = chosen === "auto" ? (dark.matches ? "dark" : "light") : chosen;
    document.documentElement.dataset.text = textSize.get() > 140 ? "large" : "usual";
    document.documentElement.style.fontSize = textSize.get() === 100 ? "" : `${textSize.get()}%`;
    localStorage.setItem(kept, chosen);
    localStorage.setItem(large, String(textSize.get()));
  };
  apply();
  dark.addEventListener?.("change", apply);
  theme.follow(apply);
  textSize.follow(apply);
}
