/** A file to keep (RFC 6266): its name in UTF-8 (RFC 8187), and in ASCII for readers that know no other. */
export function attachment(name: string, plainName: string): string {
  const encoded = encodeURIComponent(name.toWellFormed()).replace(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${plainName}"; filename*=UTF-8''${encoded}`;
}
