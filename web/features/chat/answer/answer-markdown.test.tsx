import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it, vi } from 'vitest';
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

  it('loads no picture, but says where it is from and offers to load it', () => {
    const html = render('![日志](https://evil.example/leak.png?q=secret) ![](http://plain.example/x.png)');
    expect(html).not.toMatch(/<img|<iframe|preload/);
    expect(html).toContain('href="https://evil.example/leak.png?q=secret">日志</a>');
    expect(html).toMatch(/evil\.example<\/span><button type="button">Load image/);
    expect(html).toMatch(/plain\.example<\/span><\/span>/);
  });

  it('makes no picture of data or of a path of ours', () => {
    const html = render('![一](data:image/png;base64,AAAA) ![二](/api/me)');
    expect(html).not.toMatch(/<img|<button|href/);
    expect(html).toContain('<span>一</span>');
  });

  it('makes no link of what is neither web nor mail', () => {
    const html = render('[电话](tel:110) [文件](file:///etc/passwd) [站内](/profile)');
    expect(html).not.toContain('href');
    expect(render('[邮件](mailto:a@example.com)')).toContain('href="mailto:a@example.com"');
  });

  it('says where a link leads whose text says otherwise', () => {
    expect(render('[https://bank.com](https://evil.example/x)')).toContain(
      'https://bank.com<span class="host"> (evil.example)</span></a>',
    );
    expect(render('https://bank.com/a 见')).not.toContain('class="host"');
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
    expect(render('```ts\nconst a = "<b>";\n```')).toContain(
      '>const a = &quot;&lt;b&gt;&quot;;</span></code>',
    );
    const nested = render('- 看：\n\n  ```sh\n  npm i\n  ```');
    expect(nested).toContain('<span>sh</span>');
    expect(nested).toContain('>npm i</span></code>');
  });

  it('draws tables and task lists', () => {
    expect(render('| a | b |\n|---|--:|\n| 1 | 2 |')).toContain('<td style="text-align:right">2</td>');
    expect(render('- [x] 完成\n- [ ] 未完')).toMatch(
      /checked="".*type="checkbox"|type="checkbox".*checked=""/s,
    );
  });

  it('resolves link definitions and footnotes across blocks', () => {
    const text = '见[指南][1]与脚注[^a]。\n\n中间一段。\n\n[1]: https://example.com\n[^a]: 说明';
    for (const running of [true, false]) {
      const html = render(text, running);
      expect(html).toContain('href="https://example.com">指南</a>');
      expect(html).toContain('<sup><a id="m-fnref-1" href="#m-fn-1">1</a></sup>');
      expect(html).toMatch(/aria-label="Footnotes".*id="m-fn-1".*说明.*href="#m-fnref-1"/);
    }
  });

  it('numbers footnotes over the whole answer and anchors the first mention only', () => {
    const html = render(
      '甲[^x]。\n\n- 乙[^y]，又[^x]\n\n[^y]: 第二\n[^x]: 第一 **重**\n\n    续段\n[^z]: 无人提起',
    );
    expect(html).toMatch(
      /甲<sup><a id="m-fnref-1" href="#m-fn-1">1<[\s\S]*乙<sup><a id="m-fnref-2" href="#m-fn-2">2</,
    );
    expect(html.match(/id="m-fnref-1"/g)).toHaveLength(1);
    expect(html).toMatch(/id="m-fn-1">.*第一 <strong>重<\/strong>.*续段.*id="m-fn-2">.*第二/s);
    expect(html).not.toContain('无人提起');
  });

  it('anchors a mention in the text, not one in a footnote beside it', () => {
    const html = render('- 乙\n\n  [^x]: 见[^x]\n- 甲[^x]\n\n[^x]: 第一');
    expect(html).toContain('甲<sup><a id="m-fnref-1" href="#m-fn-1">1<');
  });

  it('leaves the footnotes of a list where and as they are written', () => {
    const list = '- 甲[^A]\n- 乙\n\n  [^A]: 说明 **重**\n\n      续段';
    for (const text of [list, `${list}\n\n丙[^constructor]与[^c]\n\n[^c]: 末`]) {
      const html = render(text);
      expect(html).toMatch(/甲\[\^A\][\s\S]*<p>\[\^A\]: 说明 <strong>重<\/strong><\/p>\s*<p>续段/);
      expect(html).not.toMatch(/user-content|Back to reference|undefined/);
    }
  });

  it('tells formulas from prices', () => {
    const html = render('面积 $\\pi r^2$，也写 \\(a_1*b*c\\)。\n\n$$\nx\n\n- y\n$$\n\n从 $5 到 $6');
    expect(html).toContain('<span class="formula"><code>\\pi r^2</code>');
    expect(html).toContain('<code>a_1*b*c</code>');
    expect(html).toMatch(/<span class="formula display"[^>]*><code>x\n\n- y<\/code>/);
    expect(html).toContain('从 $5 到 $6');
  });

  it('closes half-written marks at the end while more is to come', () => {
    expect(render('一段**重点', true)).toContain('<strong>重点</strong>');
    expect(render('一段**重点')).toContain('**重点');
    expect(render('见[文档](https://exa', true)).toContain('见文档');
  });

  it('shows what is nested beyond reason as it is written', () => {
    for (const marks of ['> '.repeat(3_000), '- '.repeat(3_000), '1. '.repeat(3_000)]) {
      expect(render(`前\n\n${marks}- 深\n\n后`)).toMatch(/前<\/p>.*深.*<p>后/s);
    }
    expect(render(`${'> '.repeat(20)}深`).match(/<blockquote>/g)).toHaveLength(20);
  });

  it('draws a long table as one, whatever it is read in', () => {
    const html = render(`| a | b |\n|---|--:|\n${'| 1 | **2** |\n'.repeat(1_000)}`);
    expect(html.match(/<table>/g)).toHaveLength(1);
    expect(html.match(/<thead>/g)).toHaveLength(1);
    expect(html.match(/<tr>/g)).toHaveLength(1_001);
    expect(html.match(/<strong>2/g)).toHaveLength(1_000);
    const longer = render(`| a | b |\n|---|--:|\n${'| 1 | **2** |\n'.repeat(2_500)}`);
    expect(longer.match(/<tr>/g)).toHaveLength(1_001);
    expect(longer).toMatch(/Show 1,?000 more rows \(1,?500 left\)/);
  });
});

describe('the end of an answer', () => {
  /** Four groups of blocks. */
  const long = Array.from({ length: 4 }, (_, place) => `${'word '.repeat(600)}${place}`).join('\n\n');
  const groupsOf = (watched: boolean): string[] => {
    const html = renderToStaticMarkup(
      <TranslationProvider language="en" dictionary={en}>
        <AnswerMarkdown messageId="m" text={long} running={false} watched={watched} />
      </TranslationProvider>,
    );
    return [...html.matchAll(/class="(group[^"]*)"/g)].map(([, name = '']) => name);
  };

  it('is drawn with the frame that it comes in where the reader saw the answer being written', () => {
    vi.stubGlobal('IntersectionObserver', class {});
    try {
      expect(groupsOf(true)).toEqual(['group coming', 'group coming', 'group', 'group']);
      expect(groupsOf(false)).toEqual(Array(4).fill('group coming'));
    } finally {
      vi.unstubAllGlobals();
    }
  });

  it('has at once the height that it is drawn with, and what stands before costs no layout out of sight', () => {
    expect(groupsOf(true)).toEqual(['group settled', 'group settled', 'group', 'group']);
    expect(groupsOf(false)).toEqual(Array(4).fill('group settled'));
  });
});
