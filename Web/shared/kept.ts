import { useState } from "preact";

const nameOf = (name: string): string => `kept-${name}`;

/** A value of this tab that outlives a reload: what somebody has chosen and not yet ordered. */
export function useKept<T>(name: string): [T | undefined, (value: T | undefined) => void] {
  const [value, setValue] = useState<T | undefined>(() => {
    try {
      return JSON.parse(sessionStorage.getItem(nameOf(name)) ?? "null") ?? undefined;
    } catch {
      return undefined;
    }
  });
  return [value, (next) => {
    keepValue(name, next);
    setValue(next);
  }];
}

export function keepValue(name: string, value: unknown): void {
  if (value === undefined) sessionStorage.removeItem(nameOf(name));
  else sessionStorage.setItem(nameOf(name), JSON.stringify(value));
}
