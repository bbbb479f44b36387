/** Has the browser save a text as a file; `type` is its MIME type. */
export function saveText(name: string, text: string, type: 'text/plain' | 'text/csv'): void {
  const url = URL.createObjectURL(new Blob([text], { type }));
  Object.assign(document.createElement('a'), { href: url, download: name }).click();
  URL.revokeObjectURL(url);
}
