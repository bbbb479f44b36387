import { nameSource } from '#contract/message/name-source.ts';
import type { SourcesPart } from '#contract/message/parts.ts';
import { safeAddress } from '../parse/safe-link.ts';

/** A web page by its title and, in letters of its own, the site that it is on; a link only to the web. */
export function SourceLink({ source }: { source: SourcesPart['sources'][number] }) {
  const address = safeAddress(source.url);
  const url = address?.protocol === 'mailto:' ? null : address;
  const { title, site } = nameSource(source);
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
          {title}
        </a>
      ) : (
        <span dir="auto" className="line-clamp-2 wrap-anywhere">
          {title}
        </span>
      )}
      {site === '' ? null : (
        <span dir="ltr" className="block truncate text-soft">
          {site}
        </span>
      )}
    </span>
  );
}
