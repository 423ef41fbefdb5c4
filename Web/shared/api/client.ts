import type { Operation, Operations } from "api-types";
import { language } from "../language";
import { deadline, noteAnswer, noteSilence } from "./connection";
import { keep, Kept, recall } from "./kept";
import { isUnderWay, NoConnection, Problem } from "./problem";

type Method = keyof Operations;
type Part<M extends Method, P, N extends keyof Operation<unknown, unknown, unknown>> =
  P extends keyof Operations[M] ? (Operations[M][P] extends Operation<infer A, infer B, infer C>
    ? { parameters: A; body: B; answer: C }[N] : never) : never;
type Parameters<M extends Method, P> = Part<M, P, "parameters">;
export type Body<M extends Method, P extends keyof Operations[M]> = Part<M, P, "body">;
export type Answer<M extends Method, P extends keyof Operations[M]> = Part<M, P, "answer">;
export type GetPath = keyof Operations["get"];
export type GetParameters<P extends GetPath> = Parameters<"get", P>;
/** Parameters may be left out where none is needed. */
export type Optional<T> = {} extends T ? [parameters?: T] : [parameters: T];

export interface Options {
  /** The Idempotency-Key: the same for a repeat. One is made for each call where it is absent. */
  key?: string;
  /** The answer begins a session, whose refresh token goes into a cookie that no script reads. */
  beginsSession?: boolean;
  /** Sent without a token. */
  anonymous?: boolean;
  /** The version that was seen: the change is refused with a 412 where there is a newer one. */
  seen?: number;
}

export interface Credentials {
  account(): string | undefined;
  /** An access token that is good for some seconds at least; undefined for whoever is not logged in. */
  token(): Promise<string | undefined>;
  /** When a former session has ended, as far as it can be. */
  settled(): Promise<void>;
  /** The token was refused: another one, or undefined where the session has ended. */
  renew(refused: string): Promise<string | undefined>;
}

let credentials: Credentials | undefined;
/** Of `session.ts`, which itself needs this client. */
export const setCredentials = (source: Credentials): void => {
  credentials = source;
};

export const newKey = (): string => {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
};

/** The address of a template with its parameters: those that it does not name become the query. */
export function address(template: string, parameters: Record<string, unknown> = {}): string {
  const rest = new URLSearchParams();
  let path = template;
  for (const [name, value] of Object.entries(parameters)) {
    if (value === undefined || value === null) continue;
    const place = `{${name}}`;
    if (template.includes(place)) path = path.replace(place, encodeURIComponent(String(value)));
    else if (Array.isArray(value)) value.forEach((part) => rest.append(name, String(part)));
    else rest.append(name, String(value));
  }
  const query = rest.toString();
  return query ? `${path}?${query}` : path;
}

const pauses = [300, 1000, 3000];
const wait = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds * (0.7 + 0.6 * Math.random())));

/** Sends, and again where the network failed: a repeat has the same key, so it is done once. A file has as long as Caddy gives it; that
 * a slow phone did not bring it there in time does not say that there is no connection. */
async function exchange(url: string, init: RequestInit): Promise<Response> {
  const isFile = init.body instanceof Blob;
  for (let attempt = 0; ; attempt++) {
    const signal = deadline(isFile ? 120_000 : 30_000);
    try {
      const response = await fetch(url, { ...init, signal, cache: "no-store" });
      noteAnswer();
      return response;
    } catch {
      const isLate = isFile && signal.aborted;
      if (isLate || attempt === pauses.length || !navigator.onLine) {
        if (!isLate) noteSilence();
        throw new NoConnection();
      }
      await wait(pauses[attempt]);
    }
  }
}

async function send(method: Method, url: string, body: unknown, options: Options): Promise<Response> {
  const headers: Record<string, string> = { "Accept-Language": language.get() };
  const init: RequestInit = { method: method.toUpperCase(), headers };
  if (body instanceof Blob) {
    headers["Content-Type"] = body.type;
    init.body = body;
  } else if (body !== undefined || method === "post") {
    headers["Content-Type"] = "application/json";
    init.body = JSON.stringify(body ?? {});
  }
  // Some changes by other methods take one, too; where it is not asked for it does no harm.
  if (method !== "get") headers["Idempotency-Key"] = options.key as string;
  if (options.seen !== undefined) headers["If-Match"] = `"${options.seen}"`;
  if (options.beginsSession) {
    headers["Serai-Session"] = "cookie";
    await credentials?.settled();
  }
  const token = options.anonymous ? undefined : await credentials?.token();
  if (token) headers.Authorization = `Bearer ${token}`;
  const response = await exchange(url, init);
  if (response.status !== 401 || !token) return response;
  const other = await credentials?.renew(token);
  if (!other) return response;
  headers.Authorization = `Bearer ${other}`;
  return exchange(url, init);
}

async function read(response: Response): Promise<unknown> {
  const type = response.headers.get("Content-Type") ?? "";
  const isJSON = /\bjson\b/.test(type);
  let body: unknown;
  try {
    body = response.status === 204 ? undefined : isJSON ? await response.json() : await response.blob();
  } catch {
    if (response.ok) throw new NoConnection();
  }
  if (response.ok) return body;
  throw Problem.read(response.status, isJSON ? (body as Record<string, unknown>) : undefined);
}

/** Waits for an earlier try that is still under way, such as one whose connection broke: its answer is the answer. */
async function settled(method: Method, url: string, body: unknown, options: Options): Promise<unknown> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await read(await send(method, url, body, options));
    } catch (error) {
      if (!isUnderWay(error) || attempt === pauses.length) throw error;
      await wait(pauses[attempt]);
    }
  }
}

async function call(method: Method, path: string, parameters: unknown, body: unknown, options: Options = {}): Promise<unknown> {
  const url = address(path, parameters as Record<string, unknown>);
  const account = credentials?.account();
  const answer = await settled(method, url, body, { ...options, key: options.key ?? newKey() });
  // An answer that comes after a log-out is nobody's. How two browsers find each other, and the relay's passwords, are of use now
  // alone.
  if (method === "get" && !path.includes("/calls") && !(answer instanceof Blob) && account === credentials?.account()) void keep(account, url, answer);
  return answer;
}

/** The services' APIs. Paths, parameters, bodies and answers are those of their openapi.yaml. */
export const api = {
  get<P extends GetPath>(path: P, ...parameters: Optional<GetParameters<P>>): Promise<Answer<"get", P>> {
    return call("get", path, parameters[0], undefined) as Promise<Answer<"get", P>>;
  },
  post<P extends keyof Operations["post"]>(
    path: P, parameters: Parameters<"post", P>, body: Body<"post", P>, options?: Options,
  ): Promise<Answer<"post", P>> {
    return call("post", path, parameters, body, options) as Promise<Answer<"post", P>>;
  },
  put<P extends keyof Operations["put"]>(
    path: P, parameters: Parameters<"put", P>, body: Body<"put", P>, options?: Options,
  ): Promise<Answer<"put", P>> {
    return call("put", path, parameters, body, options) as Promise<Answer<"put", P>>;
  },
  patch<P extends keyof Operations["patch"]>(
    path: P, parameters: Parameters<"patch", P>, body: Body<"patch", P>,
  ): Promise<Answer<"patch", P>> {
    return call("patch", path, parameters, body) as Promise<Answer<"patch", P>>;
  },
  delete<P extends keyof Operations["delete"]>(path: P, ...parameters: Optional<Parameters<"delete", P>>): Promise<Answer<"delete", P>> {
    return call("delete", path, parameters[0], undefined) as Promise<Answer<"delete", P>>;
  },
  /** The last answer to the same question, from before the connection was lost. */
  kept<P extends GetPath>(path: P, ...parameters: Optional<GetParameters<P>>): Promise<Kept | undefined> {
    return recall(credentials?.account(), address(path, parameters[0] as Record<string, unknown>));
  },
};

/** For `queue.ts`, which keeps calls whose types were checked when they were made. */
export const repeat = (method: "post" | "put" | "delete", path: string, parameters: unknown, body: unknown, key: string): Promise<unknown> =>
  call(method, path, parameters, body, { key });
