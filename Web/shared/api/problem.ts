import { withTimes } from "../format";
import { catalogue } from "../words";

const words = catalogue({
  network: {
    en: "There is no connection. Please make sure that you are connected to the internet",
    ar: "لا يوجد اتصال. يرجى التأكد من الاتصال بالإنترنت",
  },
  cameBefore: {
    en: "What you sent before did arrive. Look at it first",
    ar: "ما أرسلته من قبل قد وصل. تحقق منه أولًا",
  },
  unreadable: { en: "The answer could not be read. Try again in a moment", ar: "تعذرت قراءة الرد. أعد المحاولة بعد قليل" },
});

export interface FieldError {
  /** A JSON pointer, such as `/details/licenceNumber`. */
  field: string;
  code: string;
  detail: string;
}

/** What an API answered instead of what was asked for: RFC 9457. */
export class Problem extends Error {
  constructor(
    readonly status: number,
    /** What follows `urn:serai:problem:` in its type. */
    readonly slug: string,
    title: string,
    readonly detail: string | undefined,
    readonly errors: FieldError[],
    /** All that the answer holds, for members that belong to one slug. */
    readonly body: Record<string, unknown>,
  ) {
    super(title);
  }

  /** For people: the title, and what more there is to say. */
  get text(): string {
    return withTimes(this.detail ? `${this.message}. ${this.detail}` : this.message);
  }

  static read(status: number, body: Record<string, unknown> | undefined): Problem {
    // The answer to an earlier try was lost, and something was changed since: to people a key says nothing.
    if (body?.type === "urn:serai:problem:idempotency-key-reused") body = { ...body, title: words.cameBefore, detail: undefined };
    const text = (name: string): string | undefined => (body && typeof body[name] === "string" ? (body[name] as string) : undefined);
    return new Problem(status, (text("type") ?? "").replace("urn:serai:problem:", "") || "unreadable",
      text("title") ?? words.unreadable, text("detail"), (body?.errors as FieldError[] | undefined) ?? [], body ?? {});
  }
}

/** Something that this page itself could not do, in words for the person. */
export class Failure extends Error {}

/** No answer came: what was sent may have arrived or not. */
export class NoConnection extends Failure {
  constructor() {
    super(words.network);
  }
}

/** Whether the error says that an earlier try of the same request is not at its end yet. */
export const isUnderWay = (error: unknown): boolean => error instanceof Problem && error.slug === "idempotency-key-in-use";

/** Whether the services have said no: what is sent next is something new, with a key of its own. After 5xx, 429 and silence, and while
 * an earlier try goes on, nobody knows what became of it, and a repeat has the same key. */
export const isDecided = (error: unknown): boolean =>
  error instanceof Problem && error.status < 500 && error.status !== 429 && !isUnderWay(error);

/** What to tell people of whatever was thrown. */
export function textOf(error: unknown): string {
  if (error instanceof Problem) return error.text;
  return error instanceof Failure ? error.message : words.unreadable;
}
