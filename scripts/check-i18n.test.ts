import { describe, expect, it } from 'vitest';
import { checkI18n } from './check-i18n.ts';
import { flattenTexts } from './i18n/texts.ts';
import { parseSource } from './structure/source-file.ts';

type Tree = { [name: string]: string | Tree };

const NONE = { exact: {}, alike: {}, prefixes: {}, required: [] };

interface Given {
  source?: string;
  lists?: Partial<Parameters<typeof checkI18n>[3]>;
}

function findings(zh: Tree, en: Tree, { source, lists = {} }: Given = {}): string[] {
  const chinese = flattenTexts(zh);
  const text = source ?? [...chinese.keys()].map((key) => `t('${key}');`).join('\n');
  const files = [parseSource('web/a.tsx', text)];
  return checkI18n(chinese, flattenTexts(en), files, { ...NONE, ...lists }).map(
    (one) => `${one.place} ${one.text}`,
  );
}

/** Findings about one pair of texts under the key `a`. */
function pair(chinese: string, english: string, lists: Given['lists'] = {}): string[] {
  return findings({ a: chinese }, { a: english }, { lists });
}

describe('pairs', () => {
  it('of good texts pass', () => {
    expect(
      findings({ chat: { a: '需要 {{n}} Credits，稍后再试。' } }, { chat: { a: 'Needs {{n}} credits.' } }),
    ).toEqual([]);
    expect(pair('还剩 {{n}} 步', '{{n}} {{n:step|steps}} left')).toEqual([]);
    expect(pair('还剩 {{n}} 步', '{{n}} {{m:step|steps}} left')).toHaveLength(1);
  });

  it.each([
    ['{{n}} 条', '{{m}} items', /parameters \{n\} in zh and \{m\} in en/],
    ['发送', '发送', /en a has Chinese/],
    ['Send now', 'Send now', /zh a has no Chinese/],
    ['', 'Send', /zh a is empty/],
    ['发送', ' ', /en a is empty/],
  ])('%s beside %s is a finding', (chinese, english, message) => {
    expect(pair(chinese, english)).toContainEqual(expect.stringMatching(message));
  });

  it('need every key in both languages', () => {
    expect(
      findings({ a: '发送' }, { b: 'Send' }, { source: "t('a')" }).map((one) => one.slice(0, 15)),
    ).toEqual(['en a is missing', 'zh b is missing']);
  });

  it('of names alone pass, and listed ones too', () => {
    expect(pair('Parley API', 'Parley API')).toEqual([]);
    expect(pair('English', 'English', { alike: { a: 'a language in its own words' } })).toEqual([]);
  });
});

describe('typography', () => {
  it.each([
    '你好,世界',
    '你好.',
    '点击(这里)',
    '点“这里”或"那里"',
    '稍等...',
    '共15个',
    '需要{{n}} Credits',
    '你 好',
    '你好， 世界',
    '您好',
    '亲，稍等',
    '成功！',
  ])('of %s is a finding', (text) => {
    expect(pair(text, paramsIn(text))).toHaveLength(1);
  });

  it.each([
    '输入 API Key（可选）',
    '{{brand}}的价格：$9.9',
    '共 15 个，剩 3 个……',
    '亲自看看',
    '「对谈」是什么？',
    '50% 的人',
    '人——机',
  ])('of %s is fine', (text) => {
    expect(pair(text, paramsIn(text))).toEqual([]);
  });

  it('of English has no marks of another script, no shouting and no advertising', () => {
    expect(pair('好', 'Seamless')).toHaveLength(1);
    expect(pair('好', 'Welcome!')).toHaveLength(1);
    expect(pair('好', 'Yes，no')).toHaveLength(1);
  });

  it('leaves specified texts alone', () => {
    expect(pair('您好!', 'Hello!', { exact: { a: 'specified' } })).toEqual([]);
  });

  function paramsIn(text: string): string {
    return (text.match(/\{\{\w+\}\}/g) ?? ['x']).join(' ');
  }
});

describe('use', () => {
  const texts = { a: '好', b: { c: '坏' } };

  it('needs a text for every key', () => {
    expect(
      findings(texts, { a: 'good', b: { c: 'bad' } }, { source: "t('a'); t('b.c'); t('b.d');" }),
    ).toEqual(["web/a.tsx:1 t('b.d') has no text; add the key to both languages"]);
  });

  it('counts keys in tables and finds unused ones', () => {
    const source = "const rows = [{ title: 'b.c' }];";
    expect(findings(texts, { a: 'good', b: { c: 'bad' } }, { source })).toEqual([
      'a is used nowhere; delete it from both languages',
    ]);
  });

  it('computes keys only from listed beginnings', () => {
    const source = `t('a'); t(\`b.\${name}\`);`;
    const english = { a: 'good', b: { c: 'bad' } };
    expect(findings(texts, english, { source })).toHaveLength(2);
    expect(findings(texts, english, { source, lists: { prefixes: { 'b.': 'the letters' } } })).toEqual([]);
  });

  it('asks for every error code and for no other', () => {
    const lists = { required: ['errors.x', 'errors.y'] };
    expect(
      findings({ errors: { x: '好', z: '坏' } }, { errors: { x: 'good', z: 'bad' } }, { lists }),
    ).toEqual([
      'errors.y is missing; every error code has a text in both languages',
      'errors.z is the text of no error code in contract/errors.ts; delete it',
    ]);
  });
});

describe('texts in the code', () => {
  it.each([
    ['f(<p>Hello</p>);', 1],
    ['f(<p aria-label="Close" className="wide" />);', 1],
    ["f('你好');", 1],
    ['f(<p title={t("a")}>{t("a")} · 3</p>);', 0],
  ])('%s has %i findings', (source, count) => {
    expect(findings({ a: '好' }, { a: 'good' }, { source: `${source} t('a');` })).toHaveLength(count);
  });
});
