import { words } from "./words";

/** The services, each of which answers the same operations under its own name. */
export const services = ["identity", "dispatch", "wallet", "notifications", "admin"] as const;
export type Service = (typeof services)[number];
export const isService = (text: string | undefined): text is Service => services.some((service) => service === text);
export const serviceName = (service: string): string => (words as unknown as Record<string, string>)[service] ?? service;
