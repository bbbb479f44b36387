import { ModelPrices } from './model-prices.tsx';

/** Where the text has its table of models. */
const MODELS_MARK = '<!-- models -->';

/** The reference, with the models and their prices as this server has them. `html`: our own Markdown, made into HTML by the build. */
export function Reference({ html }: { html: string }) {
  const [before = '', after = ''] = html.split(MODELS_MARK);
  return (
    <article>
      <Text html={before} />
      <ModelPrices />
      <Text html={after} />
    </article>
  );
}

function Text({ html }: { html: string }) {
  // biome-ignore lint/security/noDangerouslySetInnerHtml: our own Markdown, made into HTML by the build.
  return <div className="prose reference" dangerouslySetInnerHTML={{ __html: html }} />;
}
