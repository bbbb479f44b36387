import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import en from '#i18n/en/common.json' with { type: 'json' };
import { TranslationProvider } from '#web/lib/i18n.tsx';
import { AnswerMarkdown } from './answer-markdown.tsx';

function render(text: string, running = false): string {
  return renderToStaticMarkup(
    <TranslationProvider language="en" dictionary={en}>
      <AnswerMarkdown messageId="m" text={text} running={running} />
    </TranslationProvider>,
  );
}

describe('Chinese emphasis', () => {
  it.each([
    ['**中文。**后', '<strong>中文。</strong>后'],
    ['这是**“重点”**内容', '这是<strong>“重点”</strong>内容'],
    ['**注意：**请看', '<strong>注意：</strong>请看'],
    ['**テスト（test）**です', '<strong>テスト（test）</strong>です'],
    ['请使用**`npm i`**安装', '请使用<strong><code>npm i</code></strong>安装'],
    ['**该函数返回`null`。**然后', '<strong>该函数返回<code>null</code>。</strong>然后'],
    ['~~删除。~~后', '<del>删除。</del>后'],
    ['*强调，*后', '<em class="han">强调，</em>后'],
    ['an *English* word', 'an <em>English</em> word'],
  ])('%s', (source, expected) => {
    expect(render(source)).toContain(expected);
  });
});

describe('safety', () => {
  it.each([
    '<img src=x onerror=alert(1)>',
    '<script>alert(1)</script>',
    '<svg/onload=alert(1)>',
    'text <iframe srcdoc="<script>alert(1)</script>"></iframe>',
    '<a href="javascript:alert(1)">x</a>',
    '<style>*{display:none}</style>',
    '<!-- --><math><mi xlink:href="data:x,<script>alert(1)</script>">',
  ])('shows HTML as text: %s', (source) => {
    const html = render(source);
    expect(html).not.toMatch(/<(img|script|svg|iframe|style|math|link|object|embed)\b/);
    expect(html).not.toMatch(/<[^>]*\son\w+=/);
    expect(html).toContain('&lt;');
  });

  it.each([
    '[x](javascript:alert(1))',
    '[x](JaVaScRiPt:alert(1))',
    '[x](&#106;avascript:alert(1))',
    '[x](data:text/html,<script>alert(1)</script>)',
    '[x](vbscript:x)',
    '<javascript:alert(1)>',
    '[x]( \u0001javascript:alert(1))',
  ])('makes no link of %s', (source) => {
    expect(render(source)).not.toMatch(/href="[^"]*(javascript|data|vbscript):/i);
  });

  it('loads no picture and names it with a link instead', () => {
    const html = render('![日志](https://evil.example/leak.png?q=secret) ![](x.png)');
    expect(html).not.toMatch(/<img|preload/);
    expect(html).toContain('Image (not loaded): 日志</a>');
    expect(html).toContain('href="https://evil.example/leak.png?q=secret"');
  });

  it('opens links beside the conversation and tells the other side nothing', () => {
    expect(render('[文档](https://example.com)')).toContain(
      '<a target="_blank" rel="noopener noreferrer nofollow ugc" href="https://example.com">文档</a>',
    );
  });
});

describe('blocks', () => {
  it('keeps headings below those of the page', () => {
    expect(render('# 一\n\n## 二\n\n#### 四')).toMatch(
      /<h3 class="level-1">一.*<h3 class="level-2">二.*<h4/s,
    );
  });

  it('keeps the lines of a verse', () => {
    expect(render('灯一盏一盏熄了，\n只有**月亮**\n还醒着。')).toMatch(
      /灯一盏一盏熄了，<br\/>\s*只有<strong>月亮<\/strong><br\/>\s*还醒着。/,
    );
    expect(render('- 第一行\n  第二行')).toMatch(/<li>第一行<br\/>\s*第二行<\/li>/);
  });

  it('shows code plainly with its language, in a list too', () => {
    expect(render('```ts\nconst a = "<b>";\n```')).toContain('<code>const a = &quot;&lt;b&gt;&quot;;</code>');
    const nested = render('- 看：\n\n  ```sh\n  npm i\n  ```');
    expect(nested).toContain('<span>sh</span>');
    expect(nested).toContain('<code>npm i</code>');
  });

  it('draws tables and task lists', () => {
    expect(render('| a | b |\n|---|--:|\n| 1 | 2 |')).toContain('<td style="text-align:right">2</td>');
    expect(render('- [x] 完成\n- [ ] 未完')).toMatch(
      /checked="".*type="checkbox"|type="checkbox".*checked=""/s,
    );
  });

  it('resolves link definitions and footnotes once the answer is finished', () => {
    const text = '见[指南][1]与脚注[^a]。\n\n中间一段。\n\n[1]: https://example.com\n[^a]: 说明';
    const html = render(text);
    expect(html).toContain('href="https://example.com">指南</a>');
    expect(html).toContain('id="m-fn-a"');
    expect(html).toContain('Footnotes');
  });

  it('closes half-written marks at the end while more is to come', () => {
    expect(render('一段**重点', true)).toContain('<strong>重点</strong>');
    expect(render('一段**重点')).toContain('**重点');
    expect(render('见[文档](https://exa', true)).toContain('见文档');
  });

  it('survives deep nesting', () => {
    expect(render(`${'> '.repeat(200)}深\n\n${'- '.repeat(100)}深`)).toContain('深');
  });
});
