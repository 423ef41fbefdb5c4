/** Takes the sheet of the later screens into use as soon as it is here. Until then its medium is none, so that it holds nothing up. */
export function followStyles(): void {
  const link = document.querySelector<HTMLLinkElement>("link[data-later]");
  const use = (): void => {
    if (link) link.media = "all";
  };
  if (link?.sheet) use();
  else link?.addEventListener("load", use);
}
