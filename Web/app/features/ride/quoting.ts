import type { Dispatch } from "api-types";
import { useEffect, useRef, useState } from "preact";
import { api, newKey } from "../../../shared/api/client";
import { Problem } from "../../../shared/api/problem";
import { useSecondsLeft } from "../../../shared/ui";

type Question = Parameters<typeof api.post<"/dispatch/v1/quotes">>[2];

export interface Quoting {
  /** One for each question, in their order. */
  quotes?: Dispatch.Quote[];
  error?: unknown;
  isLoading: boolean;
  /** Until the first of them ends. */
  secondsLeft: number;
  isOver: boolean;
  again: () => void;
}

/** Asks what something costs, whenever a question changes; null while it cannot be asked. */
export function useQuotes(questions: Question[] | null): Quoting {
  const [state, setState] = useState<{ quotes?: Dispatch.Quote[]; error?: unknown; isLoading: boolean }>({ isLoading: false });
  const [round, setRound] = useState(0);
  const asked = useRef(0);
  const text = JSON.stringify(questions);
  useEffect(() => {
    const turn = ++asked.current;
    if (!questions) return setState({ isLoading: false });
    setState((old) => ({ ...old, isLoading: true, error: undefined }));
    Promise.all(questions.map((question) => api.post("/dispatch/v1/quotes", {}, question, { key: newKey() }))).then(
      (quotes) => { if (turn === asked.current) setState({ quotes, isLoading: false }); },
      (error) => { if (turn === asked.current) setState({ error, isLoading: false }); });
  }, [text, round]);
  const until = state.quotes?.map((quote) => quote.expiresAt).sort()[0];
  const secondsLeft = useSecondsLeft(until);
  return { ...state, secondsLeft, isOver: until !== undefined && new Date(until).getTime() <= Date.now(), again: () => setRound(round + 1) };
}

/** Why an order was refused, where that has a way out: a card is missing, a fine is owed, or the quote is over. */
export function wayOut(error: unknown): "card" | "fine" | "quote" | undefined {
  if (!(error instanceof Problem)) return undefined;
  if (error.slug === "payment-method-required") return "card";
  if (error.slug === "account-blocked") return "fine";
  return error.slug === "quote-expired" || error.slug === "quote-used" ? "quote" : undefined;
}
