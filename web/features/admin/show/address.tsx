/** As much of a name as stays together. */
const MAX_PIECE = 24;

/** A mail address or a host; one that does not fit into its line breaks before its @ and its dots. */
export function Address({ address }: { address: string }) {
  return (
    <span>
      {addressParts(address).map((part, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one address keep their places.
        <span key={at}>
          {at > 0 ? <wbr /> : null}
          {part}
        </span>
      ))}
    </span>
  );
}

/** What of an address stays together in a line: the pieces between its @ and its dots, and of long ones so many letters. */
export function addressParts(address: string): string[] {
  return address.split(/(?=[@.])/).flatMap((part) => part.match(new RegExp(`.{1,${MAX_PIECE}}`, 'gu')) ?? []);
}
