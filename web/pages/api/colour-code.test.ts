import { expect, test } from 'vitest';
import { fillSample, writeSamples } from '#web/features/openai-api/samples.ts';
import { colourBlocks, colourCode } from './colour-code.ts';

test('code is coloured, and its text stays as it was', () => {
  const html =
    '<pre tabindex="0"><code class="language-json">{ &quot;a&quot;: &quot;&lt;b&gt; &amp; &#39;c&#39;&quot; }\n</code></pre>';
  const coloured = colourBlocks(html);
  expect(coloured).toContain('<span class="hljs-attr">&quot;a&quot;</span>');
  const textOf = (some: string) => some.replace(/<[^>]*>/g, '').replace(/&#(?:39|x27);/g, "'");
  expect(textOf(coloured)).toBe(textOf(html));
});

test.each(['<code class="language-text">a "b"</code>', '<code>a</code>', '<p>language-json</p>'])(
  'code of no known language stays: %s',
  (html) => {
    expect(colourBlocks(html)).toBe(html);
  },
);

test('HTML in code stays text', () => {
  expect(colourCode('echo "<img src=x>"', 'bash')).not.toContain('<img');
});

test('a sample in colours has all that the page fills in', () => {
  const filling = {
    baseUrl: 'https://here.example/v1',
    prompt: '潮汐是怎么来的',
    answer: '月球引起的',
    credits: '15',
  };
  const samples = writeSamples(colourCode);
  const filled = Object.entries(samples).map(([name, html]) => [name, fillSample(html, filling)] as const);
  for (const [name, html] of filled) {
    expect(html).not.toMatch(/\{(?:base|prompt|answer)\}|1000000001/);
    for (const text of name === 'answer'
      ? ['月球引起的', '15']
      : ['https://here.example/v1', '潮汐是怎么来的'])
      expect(html, name).toContain(text);
  }
  expect(Object.fromEntries(filled).answer).toContain('<span class="hljs-number">15</span>');
});
