import type { Dispatch } from "api-types";
import { useMarket } from "../../../shared/market";
import { useGet } from "../../../shared/resources";

export type Service = NonNullable<Dispatch.ServiceList["items"][number]["services"]>[number] & { id: string; name: string; type: string };

/** All services of the market, one after the other. */
export function useServices(): { list?: Service[]; types?: Dispatch.ServiceList["items"] } & Pick<ReturnType<typeof useMarket>, "market"> {
  const { id, market } = useMarket();
  const services = useGet("/dispatch/v1/markets/{market}/services", { market: id });
  const types = services.value?.items;
  return { market, types, list: types?.flatMap((type) => (type.services ?? []).map((one) => ({ ...one, type: type.id ?? "" }) as Service)) };
}

/** What the chosen ones cost where the market sets the prices; undefined where each provider does. */
export function totalOf(services: Service[], currency: string): { amount: number; currency: string } | undefined {
  if (!services.length || services.some((one) => one.price === undefined)) return undefined;
  return { amount: services.reduce((sum, one) => sum + (one.price ?? 0), 0), currency };
}
