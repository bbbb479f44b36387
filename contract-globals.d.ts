// What browsers and Node have in common, for the check that `contract/` needs no more.
declare class URL {
  constructor(url: string, base?: string);
  static parse(url: string, base?: string): URL | null;
  readonly host: string;
  readonly hostname: string;
  readonly protocol: string;
}
