// What this app uses of Preact 10, of the module in the wheel `datasette-preact`.
declare module "preact" {
  export type Key = string | number;
  export type Child = VNode | string | number | bigint | boolean | null | undefined;
  export type Children = Child | Children[];

  export interface VNode {
    type: unknown;
    props: Record<string, unknown>;
    key: unknown;
  }

  export type Component<Properties = {}> = (properties: Properties & { children?: Children }) => VNode | null;
  export interface Ref<T> {
    current: T;
  }

  export function h(type: unknown, properties: unknown, ...children: unknown[]): VNode;
  export function render(node: Children, parent: Element): void;
  export function createContext<T>(value: T): Context<T>;
  export interface Context<T> {
    Provider: Component<{ value: T }>;
  }

  export function useContext<T>(context: Context<T>): T;
  export function useState<T>(initial: T | (() => T)): [T, (value: T | ((old: T) => T)) => void];
  export function useReducer<S, A>(reducer: (state: S, action: A) => S, initial: S): [S, (action: A) => void];
  export function useRef<T>(initial: T): Ref<T>;
  export function useMemo<T>(make: () => T, inputs: readonly unknown[]): T;
  export function useCallback<T>(callback: T, inputs: readonly unknown[]): T;
  export function useEffect(effect: () => void | (() => void), inputs?: readonly unknown[]): void;
  export function useLayoutEffect(effect: () => void | (() => void), inputs?: readonly unknown[]): void;
  export function useErrorBoundary(callback?: (error: unknown) => void): [unknown, () => void];
}
