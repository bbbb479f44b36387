import { createHash } from 'node:crypto';
import { shorten } from '../answers/topic.ts';

interface FoundPage {
  uri: string;
  title: string;
}

/** What a hostile page says of itself: each is to be shown as text, and lead nowhere that it should not. */
const HOSTILE: FoundPage[] = [
  { uri: 'javascript:alert(document.domain)', title: '<img src=x onerror=alert(1)>' },
  { uri: 'data:text/html,<script>alert(1)</script>', title: 'https://www.bank.example' },
  { uri: 'https://www.bank.example@xn--pple-43d.example/login', title: '\u202Emoc.elppa.www' },
];
const HOSTILE_HTML =
  '<script>top.location="https://evil.example/"</script><img src="https://evil.example/x.png" onerror="alert(1)">';

/** As Google names pages: by an address of its own that leads on to them, and by their hosts. */
function pagesAbout(matter: string): FoundPage[] {
  return ['www.example.com', 'zh.example.org', '中文.example'].map((title) => {
    const token = createHash('sha512').update(`${title}/${matter}`).digest('base64url');
    return { uri: `https://vertexaisearch.cloud.google.com/grounding-api-redirect/AUZIYQ${token}==`, title };
  });
}

/** What is searched for to answer a question. */
export function queriesFor(question: string): string[] {
  const matter = shorten(question, 24);
  return [matter, /\p{Script=Han}/u.test(matter) ? `${matter} 时间` : `${matter} dates`];
}

/**
 * What an answer that searched the web ends with (https://ai.google.dev/gemini-api/docs/google-search): the pages, and which of
 * them stand behind each sentence. Its places count UTF-8 bytes.
 */
export function groundingOf(answer: string, queries: string[], isHostile = false) {
  const pages = isHostile ? HOSTILE : pagesAbout(queries[0] ?? '');
  const groundingSupports = [...answer.matchAll(/[^\n。.!?！？]{6,}[。.!?！？]/g)].map(
    ({ 0: text, index }, place) => ({
      segment: {
        startIndex: Buffer.byteLength(answer.slice(0, index)),
        endIndex: Buffer.byteLength(answer.slice(0, index + text.length)),
        text,
      },
      groundingChunkIndices: place % 4 === 3 ? [0, 1, 2] : [place % pages.length],
    }),
  );
  return {
    webSearchQueries: queries,
    groundingChunks: pages.map((web) => ({ web })),
    groundingSupports,
    searchEntryPoint: { renderedContent: suggestionsFor(queries) + (isHostile ? HOSTILE_HTML : '') },
  };
}

/** The search suggestions as Google hands them out: a style sheet and a row of links, to be shown as they are. */
function suggestionsFor(queries: string[]): string {
  const chips = queries.map((query) => {
    const text = query.replace(/[&<>"]/g, (mark) => `&#${mark.charCodeAt(0)};`);
    return `<a class="chip" href="https://www.google.com/search?q=${encodeURIComponent(query)}">${text}</a>`;
  });
  return `<style>
.container { align-items: center; border-radius: 8px; display: flex; font-family: Google Sans, Roboto, sans-serif; font-size: 14px; line-height: 20px; padding: 8px 12px; }
.chip { display: inline-block; border: solid 1px; border-radius: 16px; margin: 0 8px; padding: 5px 16px; text-align: center; text-decoration: none; white-space: nowrap; }
.carousel { overflow: auto; scrollbar-width: none; white-space: nowrap; margin-right: -12px; }
@media (prefers-color-scheme: light) { .container { background-color: #fafafa; box-shadow: 0 0 0 1px #0000000f; } .chip { background-color: #ffffff; border-color: #d2d2d2; color: #5e5e5e; } }
@media (prefers-color-scheme: dark) { .container { background-color: #1f1f1f; box-shadow: 0 0 0 1px #ffffff26; } .chip { background-color: #2c2c2c; border-color: #3c4043; color: #ffffff; } }
</style>
<div class="container"><div class="headline"></div><div class="carousel">${chips.join('')}</div></div>`;
}
