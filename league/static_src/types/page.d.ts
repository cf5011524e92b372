// What our pages hold for their scripts: elements by their ids, fields of forms, and the events
// that reach the document. No browser loads this file; `npm run types` reads it.

import type { ParseSelector } from "typed-query-selector/parser.js";

/** Elements that scripts find by their ids; one that a page may lack can be null. */
interface ElementsById {
  act: HTMLFormElement | null;
  announce: HTMLElement;
  "chat-text": HTMLInputElement | null;
  facts: HTMLScriptElement;
  live: HTMLElement | null;
  score: HTMLElement;
  "score-more": HTMLButtonElement;
  "score-state": HTMLElement;
  stage: HTMLElement;
  "stage-head": HTMLElement;
  try: HTMLElement;
}

/** An event of an element, seen by the document. */
type Bubbled<Kind extends Event, Target extends EventTarget = HTMLElement> = Kind & {
  readonly target: Target;
};

/** What htmx tells of a request. */
interface HtmxRequest {
  ctx: { sourceElement: HTMLElement; response: Response };
}

declare global {
  interface ParentNode {
    querySelector<S extends string>(selector: S): ParseSelector<S, HTMLElement> | null;
    querySelectorAll<S extends string>(selector: S): NodeListOf<ParseSelector<S, HTMLElement>>;
  }
  interface Element {
    closest<S extends string>(selector: S): ParseSelector<S, HTMLElement> | null;
  }
  interface HTMLFormControlsCollection {
    /** The bid as text, in the form of an online table. */
    typed?: HTMLInputElement;
    /** The text of a scorer's code. */
    code: HTMLInputElement;
    /** The buttons that switch notices on and off. */
    on: HTMLButtonElement;
    off: HTMLButtonElement;
  }
  interface Document {
    getElementById<Id extends keyof ElementsById>(id: Id): ElementsById[Id];
    addEventListener(type: "click", listener: (event: Bubbled<PointerEvent>) => void): void;
    addEventListener(type: "keydown", listener: (event: Bubbled<KeyboardEvent>) => void): void;
    addEventListener(
      type: "input" | "change",
      listener: (event: Bubbled<Event, HTMLInputElement>) => void,
    ): void;
    addEventListener(
      type: "live:line",
      listener: (event: CustomEvent<{ on: boolean }>) => void,
    ): void;
    addEventListener(
      type: "htmx:before:request" | "htmx:before:swap",
      listener: (event: CustomEvent<HtmxRequest>) => void,
    ): void;
    addEventListener(
      type: "htmx:error",
      listener: (event: CustomEvent<Partial<HtmxRequest>>) => void,
    ): void;
  }
  interface Window {
    /** On all pages but the scorer's. */
    htmx?: typeof htmx;
    /** On the pages of passkeys. */
    allauth: {
      webauthn: { forms: Record<string, (settings: { ids: Record<string, string> }) => void> };
    };
  }

  const htmx: {
    process(element: Element): void;
    swap(what: {
      text: string;
      target: Element;
      swap: string;
      sourceElement: Element;
    }): Promise<void>;
  };

  /** Swagger UI, on the page where the API is tried. */
  function SwaggerUIBundle(settings: {
    url: string | undefined;
    domNode: HTMLElement;
    deepLinking: boolean;
    plugins: ((system: SwaggerSystem) => object)[];
    defaultModelsExpandDepth: number;
    requestInterceptor(request: SwaggerRequest): SwaggerRequest;
  }): void;
  interface SwaggerSystem {
    React: { createElement(tag: string, properties: null, text: string): unknown };
  }
  interface SwaggerRequest {
    method: string;
    url: string;
    headers: Record<string, string | undefined>;
  }

  /** The browser's own reader of codes, where it has one. */
  class BarcodeDetector {
    constructor(options: { formats: string[] });
    static getSupportedFormats(): Promise<string[]>;
    detect(picture: ImageBitmapSource): Promise<{ rawValue: string }[]>;
  }
}
