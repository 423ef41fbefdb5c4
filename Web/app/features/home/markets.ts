import type { Component } from "preact";

/**
 * What each market offers on its customers' start, below the orders that run: loaded with that market alone. A market without a line
 * here says that it is not open yet.
 */
export const homes: Partial<Record<string, () => Promise<{ default: Component }>>> = {
  // assef
  assef: () => import("../care/home"),

  // edencare
  edencare: () => import("../care/home"),

  // btnc
  btnc: () => import("../ride/home"),

  // carrepsa
  carrepsa: () => import("../parcels/home"),
};
