declare const h: typeof import("preact").h;
declare const Fragment: (properties: { children?: import("preact").Children }) => import("preact").VNode;

declare namespace JSX {
  type Element = import("preact").VNode;
  interface ElementChildrenAttribute {
    children: unknown;
  }
  interface IntrinsicAttributes {
    key?: import("preact").Key;
  }

  type Handler<E> = (event: E) => void;
  type Text = string | number | boolean | null | undefined;

  /** An element of HTML or SVG. Attributes are written as HTML has them (`class`, `for`); handlers are `onClick`, `onInput`. */
  interface Attributes {
    key?: import("preact").Key;
    ref?: { current: unknown } | ((element: never) => void);
    children?: import("preact").Children;
    style?: Record<string, Text>;
    onClick?: Handler<MouseEvent>;
    onInput?: Handler<InputEvent>;
    onChange?: Handler<Event>;
    onSubmit?: Handler<SubmitEvent>;
    onKeyDown?: Handler<KeyboardEvent>;
    onFocus?: Handler<FocusEvent>;
    onBlur?: Handler<FocusEvent>;
    onPaste?: Handler<ClipboardEvent>;
    onPointerDown?: Handler<PointerEvent>;
    onPointerMove?: Handler<PointerEvent>;
    onPointerUp?: Handler<PointerEvent>;
    onPointerCancel?: Handler<PointerEvent>;
    onContextMenu?: Handler<MouseEvent>;
    onScroll?: Handler<Event>;
    onToggle?: Handler<Event>;
    onCancel?: Handler<Event>;
    onClose?: Handler<Event>;
    onLoad?: Handler<Event>;
    onError?: Handler<Event>;
    [attribute: string]: unknown;
  }
  interface IntrinsicElements {
    [name: string]: Attributes;
  }
}
