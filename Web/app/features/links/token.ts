/** What follows `#token=` in the link of a mail. It is taken out of the address, so that it is in no history. */
export function takeToken(): string | undefined {
  const token = /#token=([\w.~-]+)/.exec(location.hash)?.[1];
  if (token) history.replaceState(history.state, "", location.pathname + location.search);
  return token;
}
