/** What the chat wants shown; see `web/features/chat/answer/parts/suggestions.tsx`. */
interface SuggestionsOrder {
  html: string;
  title: string;
}

/** Before the provider's HTML, which stays as it is: its links open beside the chat, and its frame has no edge. */
const HEAD =
  '<!doctype html><meta charset="utf-8"><meta name="color-scheme" content="light dark"><meta name="referrer" content="no-referrer"><base target="_blank"><style>body{margin:1px}</style>';

/**
 * What connects to a host before anyone clicks, and no policy stops: a frame that a policy refuses has connected already. In a
 * template it may come into a shadow tree, where a look at the document does not find it.
 */
const REACHING_OUT =
  'link, iframe, frame, fencedframe, object, embed, template, meta[http-equiv="x-dns-prefetch-control" i]';

addEventListener('message', ({ source, data }: MessageEvent<Partial<SuggestionsOrder> | null>) => {
  const { html, title } = data ?? {};
  if (source === parent && typeof html === 'string' && typeof title === 'string') showFramed({ html, title });
});

/**
 * Shows HTML in a frame without scripts, forms and an origin; HTML that reaches out by itself is not shown. The policy of this page is
 * in `server/platform/http/security-headers.ts`.
 */
function showFramed({ html, title }: SuggestionsOrder): void {
  if (new DOMParser().parseFromString(html, 'text/html').querySelector(REACHING_OUT)) return;
  const frame = document.createElement('iframe');
  frame.setAttribute('sandbox', 'allow-popups allow-popups-to-escape-sandbox');
  frame.referrerPolicy = 'no-referrer';
  frame.title = title;
  frame.srcdoc = HEAD + html;
  Object.assign(frame.style, { display: 'block', width: '100%', height: '100%', border: '0' });
  Object.assign(document.body.style, { margin: '0', height: '100vh' });
  document.body.replaceChildren(frame);
}
