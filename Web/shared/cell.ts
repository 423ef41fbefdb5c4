import { useEffect, useReducer, useRef } from "preact";

/** A value that tells its readers when it changes. */
export class Cell<T> {
  private readonly readers = new Set<() => void>();

  constructor(private value: T) {}

  get(): T {
    return this.value;
  }

  /** Tells the readers, unless the value is the same one. */
  set(value: T): void {
    if (Object.is(value, this.value)) return;
    this.value = value;
    for (const reader of [...this.readers]) reader();
  }

  /** Calls the reader at each change until the returned function is called. */
  follow(reader: () => void): () => void {
    this.readers.add(reader);
    return () => this.readers.delete(reader);
  }
}

/** The cell's value; the component is rendered again when it changes. */
export function useCell<T>(cell: Cell<T>): T {
  const [, again] = useReducer((count: number, _: void) => count + 1, 0);
  const seen = useRef(cell.get());
  seen.current = cell.get();
  useEffect(() => {
    if (!Object.is(seen.current, cell.get())) again();
    return cell.follow(() => again());
  }, [cell]);
  return seen.current;
}
