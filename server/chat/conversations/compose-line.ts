/** Where a file of the conversation is, for who reads the export. */
export type FileLink = (fileId: string) => string;

/** Text of others as one line of Markdown that is nothing but text. */
export function composeLine(text: string): string {
  return text
    .replace(/\p{Cc}|\p{Bidi_Control}/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/[[\]\\<>`]/g, '\\$&');
}

/** A web address that can be followed; anything else as text. */
export function composeAddress(url: string): string {
  return /^https?:\/\//i.test(url) ? `<${encodeSpaces(url)}>` : composeLine(url);
}

/** What would end an address in Markdown is encoded. */
export function encodeSpaces(url: string): string {
  return url.replace(/[<>\s]/g, encodeURIComponent);
}
