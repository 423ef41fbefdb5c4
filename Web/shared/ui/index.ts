export * from "./kit";
export * from "./dialog";
export * from "./screen";
export { words as uiWords } from "./words";
