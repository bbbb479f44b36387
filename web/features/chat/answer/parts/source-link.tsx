import type { SourcesPart } from '#contract/message/parts.ts';
import { safeAddress } from '../parse/safe-link.ts';

/** A web page by its title and, in its own letters, the host that it is on; a link only to the web. */
export function SourceLink({ source }: { source: SourcesPart['sources'][number] }) {
  const address = safeAddress(source.url);
  const url = address?.protocol === 'mailto:' ? null : address;
  const title = source.title.replace(/\p{Cc}|\p{Bidi_Control}/gu, '').trim();
  const host = url?.host ?? '';
  const shown = title === '' ? host || source.url : title;
  return (
    <span className="min-w-0">
      {url ? (
        <a
          href={url.href}
          target="_blank"
          rel="noopener noreferrer nofollow ugc"
          dir="auto"
          className="line-clamp-2 underline decoration-edge underline-offset-4 wrap-anywhere hover:decoration-current"
        >
          {shown}
        </a>
      ) : (
        <span dir="auto" className="line-clamp-2 wrap-anywhere">
          {shown}
        </span>
      )}
      {host === '' || host === shown ? null : (
        <span dir="ltr" className="block truncate text-soft">
          {host}
        </span>
      )}
    </span>
  );
}
