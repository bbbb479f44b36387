/**
 * The bytes [from, to) of a whole of `length` bytes that a `Range` header asks for (RFC 9110, 14.1): one range; null where the whole
 * is answered, as without a header, or with one of several ranges or none; `unsatisfiable` where it begins after the end.
 */
export function byteRange(
  header: string | undefined,
  length: number,
): { from: number; to: number } | 'unsatisfiable' | null {
  const [, first, last] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header?.trim() ?? '') ?? [];
  if (first === undefined || last === undefined || (first === '' && last === '')) return null;
  if (first !== '' && last !== '' && Number(last) < Number(first)) return null;
  const from = first === '' ? Math.max(0, length - Number(last)) : Number(first);
  const to = first === '' || last === '' ? length : Math.min(length, Number(last) + 1);
  return from < to ? { from, to } : 'unsatisfiable';
}
