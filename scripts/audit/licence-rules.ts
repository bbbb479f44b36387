/**
 * Licences (SPDX) that ask for no more than keeping their text, and may ship with a product whose source is closed. The font licence
 * asks beside that the font is not sold by itself.
 */
const ALLOWED = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MIT-0',
  'OFL-1.1',
  'Unlicense',
  'Zlib',
]);

interface Exception {
  packages: RegExp;
  /** Further licences that are allowed for these packages alone. */
  licences: readonly string[];
  /** What the package has no word of in its package.json, as read in its files. */
  stands?: string;
  why: string;
}

const EXCEPTIONS: readonly Exception[] = [
  {
    packages: /^@img\/sharp-/,
    licences: ['LGPL-3.0-or-later'],
    why: 'libvips as a shared library of its own, unchanged, which an operator can replace',
  },
  {
    packages: /^libheif-js$/,
    licences: ['LGPL-3.0'],
    why: 'libheif as a file of its own, unchanged, on the server alone, which an operator can replace',
  },
  { packages: /^khroma$/, licences: [], stands: 'MIT', why: 'its file `license`; package.json does not say' },
];

const exceptionsOf = (name: string) => EXCEPTIONS.filter(({ packages }) => packages.test(name));

/** The licence that the files of a package name where its package.json names none; null for any other. */
export function licenceInFiles(name: string): string | null {
  return exceptionsOf(name).find(({ stands }) => stands)?.stands ?? null;
}

/** Whether a package of this licence may ship. `licence`: an SPDX expression, as in package.json; null when there is none. */
export function isAllowed(name: string, licence: string | null): boolean {
  const more = exceptionsOf(name).flatMap(({ licences }) => licences);
  return licence !== null && holds(licence, (one) => ALLOWED.has(one) || more.includes(one));
}

/** Whether an SPDX expression holds when `isFine` says which licences are allowed. What cannot be read does not. */
function holds(expression: string, isFine: (licence: string) => boolean): boolean {
  const words = expression.match(/[()]|[^\s()]+/g) ?? [];
  let at = 0;
  const either = (): boolean => {
    let fine = both();
    while (words[at] === 'OR') {
      at += 1;
      fine = both() || fine;
    }
    return fine;
  };
  const both = (): boolean => {
    let fine = one();
    while (words[at] === 'AND') {
      at += 1;
      fine = one() && fine;
    }
    return fine;
  };
  const one = (): boolean => {
    const word = words[at];
    at += 1;
    if (word !== '(') return word !== undefined && isFine(word);
    const fine = either();
    at += 1;
    return words[at - 1] === ')' && fine;
  };
  return either() && at === words.length;
}
