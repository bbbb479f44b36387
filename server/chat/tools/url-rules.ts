/** Addresses end at blanks, quotes, angle brackets, and at the marks that Chinese sentences have around them. */
const ADDRESS = /\bhttps?:\/\/[^\s<>"'`“”‘’，。；：！？、（）《》【】「」…]+/giu;
const LAST_MARKS = '.,;:!?*_~)]}|';
/** A program that is asked about names addresses that no one wants to be opened. */
const CODE_BLOCK = /```[\s\S]*?(?:```|$)/g;

/** The addresses of the web in a question, each once; names of this machine or its network are none. */
export function urlsIn(question: string): string[] {
  const found = question.replace(CODE_BLOCK, ' ').match(ADDRESS) ?? [];
  const urls = found.flatMap((one) => URL.parse(withoutLastMarks(one)) ?? []).filter(isPublic);
  return [...new Set(urls.map(({ href }) => href))];
}

/** A pattern that is tried at each of many marks would take the square of their number. */
function withoutLastMarks(address: string): string {
  let end = address.length;
  while (end > 0 && LAST_MARKS.includes(address.charAt(end - 1))) end -= 1;
  return address.slice(0, end);
}

function isPublic({ hostname }: URL): boolean {
  return /\.\p{L}[^.]*$/u.test(hostname) && !/\.(local|localhost|internal|test)$/i.test(hostname);
}
