/** One window of a browser that Playwright does not drive as people have it: what a journey needs of it. */
export interface Tab {
  open(url: string): Promise<void>;
  url(): Promise<string>;
  /** Runs the body of a function in the page, with `argument`, and returns what it returns or promises. */
  run<T>(body: string, argument?: unknown): Promise<T>;
  /** A press of the pointer on the first element of a selector. */
  click(selector: string): Promise<void>;
  /** Keys, one after the other, for what has the focus. */
  type(text: string): Promise<void>;
  pressEnter(): Promise<void>;
  /** Ends the browser. */
  close(): Promise<void>;
}
