import { CodeSample } from './code-sample.tsx';
import { ModelPrices } from './model-prices.tsx';

/** Where the text has its table of models, and each of its blocks of code. */
const NOT_PROSE = /(<!-- models -->|<pre[\s\S]*?<\/pre>)/;
const BLOCK = /^<pre[^>]*><code class="language-(\w+)">([\s\S]*?)\n?<\/code>/;

/**
 * The reference, with the models and their prices as this server has them, and a button at each block of code that copies it. `html`: our
 * own Markdown, made into HTML by the build.
 */
export function Reference({ html }: { html: string }) {
  return (
    <article>
      {html.split(NOT_PROSE).map((part, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a part never changes its place.
        <ReferencePart key={place} html={part} />
      ))}
    </article>
  );
}

function ReferencePart({ html }: { html: string }) {
  if (html.startsWith('<!-- ')) return <ModelPrices />;
  const [, language = '', code] = BLOCK.exec(html) ?? [];
  if (code === undefined) {
    // biome-ignore lint/security/noDangerouslySetInnerHtml: our own Markdown, made into HTML by the build.
    return <div className="prose reference" dangerouslySetInnerHTML={{ __html: html }} />;
  }
  return (
    <div className="my-4">
      <CodeSample code={{ html: code }}>
        <span className="px-1 text-soft text-sm uppercase">{language === 'text' ? null : language}</span>
      </CodeSample>
    </div>
  );
}
