import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { makePicture } from '#test/hostile-files/hostile-pictures.ts';
import { makeGridHeic } from '#test/hostile-files/make-heic.ts';
import { HELVETICA, onePage, stream } from '#test/hostile-files/make-pdf.ts';
import { IS_LONG, inTurn } from '#test/runs.ts';
import { readFile } from './read-file.ts';
import { readText } from './read-text.ts';
import { READING_LIMITS } from './reading-rules.ts';

const FIXTURES = join(import.meta.dirname, 'fixtures');
const ZH = '合同编号 2026-11，甲方：北京谈话科技有限公司；乙方：王小明。双方同意：每月支付 1,280 元。';
const JA = '吾輩は猫である。名前はまだ無い。カタカナとひらがな、漢字の文章です。';
const EN = 'The quick brown fox jumps over the lazy dog; prices rose by 12.5 % in 2026.';
const CSV = '日期,商品,金额\n2026-03-01,茶叶,12.5\n2026-03-02,コーヒー,3\n';

/** What each file says, pages it has, and whether all was found in it. */
const SAID: Record<string, { pages: number | null; text: string[] }> = {
  'cairo-picture.pdf': { pages: 1, text: [] },
  'cairo-zh.pdf': { pages: 1, text: [ZH, EN] },
  'ghostscript-embedded.pdf': { pages: 2, text: [ZH, JA, EN, '项目', '服务费'] },
  // Chromium writes radicals for many words.
  'chromium.pdf': {
    pages: 1,
    text: [ZH, '自二月十日起，见附件第一页：车、长、门、马、鱼、龙、齿、黄、食、骨。'],
  },
  // Its fonts have no table of characters: poppler gives signs without sense too.
  'ghostscript.pdf': { pages: 1, text: [] },
  'libreoffice.docx': { pages: null, text: ['标题 Title', ZH, JA, EN, '项目\t金额\n服务费\t1280'] },
  'libreoffice.odp': { pages: 2, text: ['第一张', ZH, JA, EN, '备注 speaker'] },
  'libreoffice.ods': { pages: 1, text: [CSV] },
  'libreoffice.odt': { pages: null, text: ['标题 Title', ZH, JA, EN, '项目\t金额\n服务费\t1280'] },
  'libreoffice.pdf': { pages: 2, text: [ZH, JA, EN, '项目', '服务费'] },
  'libreoffice.pptx': { pages: 2, text: ['第一张', ZH, JA, EN, '备注 speaker'] },
  'libreoffice.xlsx': { pages: 1, text: [CSV] },
  'openpyxl.xlsx': {
    pages: 2,
    text: [
      '# 销售\n日期,商品,金额\n2026-03-01,"茶叶, 绿",12.5\n2026-03-02 08:30:00,コーヒー,TRUE\n',
      ',,"far ""away"""',
    ],
  },
  'owner-only.pdf': { pages: 2, text: [ZH, '第二页：附件清单'] },
  'pandoc.docx': {
    pages: null,
    text: ['标题 Title', ZH, JA, EN, '项目\t金额\n服务费\t1280', '脚注在这里。'],
  },
  'pandoc.epub': { pages: null, text: ['标题 Title', ZH, JA, EN, '服务费', '脚注在这里。'] },
  'pandoc.odt': { pages: null, text: ['标题 Title', ZH, JA, EN, '项目\t金额\n服务费\t1280', '脚注在这里。'] },
  'pandoc.pptx': { pages: 2, text: ['第一张', ZH, JA, EN, '备注 speaker'] },
  'python-docx.docx': { pages: null, text: ['合同', ZH, JA, EN, '项目\t金额\n服务费\t1280'] },
  'qpdf-linearized.pdf': { pages: 1, text: [ZH, EN] },
  'reportlab-en.pdf': { pages: 2, text: [EN, 'Page two'] },
  'reportlab-ja.pdf': { pages: 1, text: [JA] },
  'reportlab-zh.pdf': { pages: 2, text: [ZH, '第一页', '第二页：附件清单'] },
  'wkhtmltopdf.pdf': { pages: 1, text: ['标题 Title', ZH, JA, EN, '服务费'] },
};

/** One of each kind, because each file starts a process; all formats of all producers in the long run. */
const READ = Object.entries(SAID).filter(([name]) => IS_LONG || /^libreoffice\.(docx|xlsx|pdf)$/.test(name));

/** Lines are broken where a page ends. */
const joined = (text: string) => text.replace(/\s+/g, '');

describe('documents of several producers', () => {
  test('all files are looked at', () => {
    const kept = readdirSync(FIXTURES).filter((name) => !/\.md$|^encrypted|\.(heic|webp)$/.test(name));
    expect(Object.keys(SAID).sort()).toEqual(kept.sort());
  });

  test.each(READ)('%s gives its text, or says that it has none', async (name, { pages, text }) => {
    const found = await readFile(readFileSync(join(FIXTURES, name)));
    expect(found).toMatchObject({
      pages,
      hasText: text.length > 0,
      width: null,
      thumbnail: null,
      content: null,
    });
    for (const piece of text) {
      if (name.endsWith('.pdf')) expect(joined(found.text)).toContain(joined(piece));
      else expect(found.text).toContain(piece);
    }
    if (text.length === 0) expect(found.text).toBe('');
    if (name.endsWith('.pdf')) expect(found.tokens).toBe(560 * (pages ?? 0));
    else expect(found.tokens).toBeGreaterThan(30);
  });

  test.runIf(IS_LONG)('a PDF that asks for a password is refused as such', async () => {
    const reading = readFile(readFileSync(join(FIXTURES, 'encrypted.pdf')));
    await expect(reading).rejects.toMatchObject({ code: 'file_encrypted' });
  });

  test('a PDF keeps its text where each short line has a bullet of a font of signs', async () => {
    const words = ['Tea', 'Milk', 'Bread'];
    const lines = words.map((word, n) => {
      const at = (x: number) => `1 0 0 1 ${x} ${700 - 20 * n} Tm`;
      return `${at(50)} (\\267) Tj ${at(68)} (${word}) Tj`;
    });
    const table = '1 begincodespacerange <00> <ff> endcodespacerange 1 beginbfchar <b7> <f0b7> endbfchar';
    const pdf = onePage({
      4: stream(`BT /F1 12 Tf ${lines.join(' ')} ET`),
      5: HELVETICA.replace('>>', '/ToUnicode 6 0 R >>'),
      6: stream(`begincmap ${table} endcmap`),
    });
    const { text, hasText } = await readFile(pdf);
    expect(hasText).toBe(true);
    expect(text).toContain('\uf0b7');
    for (const word of words) expect(text).toContain(word);
  });
});

describe('text', () => {
  // 这是一个测试文件，内容是中文。 / 這是一個測試檔案，內容是中文。 / これはテストです。漢字も。
  const ENCODED: [string, string, string][] = [
    ['UTF-8', 'e4bda0e5a5bd0a', '你好\n'],
    ['UTF-8 with its mark', 'efbbbfe4bda0e5a5bd', '你好'],
    ['UTF-16, little end first', 'fffe604f7d59', '你好'],
    ['UTF-16, big end first', 'feff4f60597d', '你好'],
    [
      'GB18030',
      'd5e2cac7d2bbb8f6b2e2cad4cec4bcfea3acc4dac8ddcac7d6d0cec4a1a3',
      '这是一个测试文件，内容是中文。',
    ],
    [
      'Big5',
      'b36fac4fa440add3b4fab8d5c0c9aed7a141a4baae65ac4fa4a4a4e5a143',
      '這是一個測試檔案，內容是中文。',
    ],
    ['Shift_JIS', '82b182ea82cd83658358836782c582b781428abf8e9a82e08142', 'これはテストです。漢字も。'],
    ['Windows-1252', '436166e920e0205061726973', 'Café à Paris'],
  ];
  test.each(ENCODED)('in %s is decoded', (_, hex, text) => {
    const bytes = Buffer.from(hex, 'hex');
    expect(readText(bytes, READING_LIMITS)).toEqual({ type: 'text/plain', text });
  });

  test.runIf(IS_LONG)('has one kind of line end, and the tokens of what it says', async () => {
    const { text, tokens, ...rest } = await readFile(Buffer.from('a,b\r\n1,2\r3'));
    expect(rest).toMatchObject({ type: 'text/plain', pages: null });
    expect(text).toBe('a,b\n1,2\n3');
    expect(tokens).toBeGreaterThan(4);
  });
});

describe('pictures', () => {
  test.each(inTurn(['png', 'jpeg', 'webp', 'avif'] as const, 1, 4))(
    '%s loses where and with what it was taken, and stays upright',
    async (format) => {
      const bytes = await makePicture(format);
      expect(bytes.includes('SECRETPLACE')).toBe(true);
      const { type, width, height, thumbnail, content, tokens } = await readFile(bytes);
      expect({ type, width, height, tokens }).toEqual({
        type: `image/${format}`,
        width: 40,
        height: 60,
        tokens: 1_120,
      });
      expect(content?.includes('SECRET') || content?.includes('SecretCam')).toBe(false);
      const { autoOrient } = await sharp(content ?? bytes).metadata();
      expect(autoOrient).toMatchObject({ width: 40, height: 60 });
      const pixels = (one: Buffer) => sharp(one).autoOrient().raw().toBuffer();
      expect(await pixels(content ?? bytes)).toEqual(await pixels(bytes));
      expect(await sharp(thumbnail ?? bytes).metadata()).toMatchObject({
        format: 'webp',
        width: 40,
        height: 60,
      });
    },
  );

  /** A box of ISO/IEC 14496-12, and a chunk of RIFF. */
  const box = (type: string, content: Buffer) => {
    const head = Buffer.from(`0000${type}`, 'latin1');
    head.writeUInt32BE(content.length + 8);
    return Buffer.concat([head, content]);
  };
  const riff = (type: string, content: Buffer) => {
    const head = Buffer.from(`${type}0000`, 'latin1');
    head.writeUInt32LE(content.length, 4);
    return Buffer.concat([head, content]);
  };
  const TELLING = Buffer.from('SECRETBEHIND', 'latin1');

  test.runIf(IS_LONG).each([
    ['webp', 'a manifest of C2PA', riff('C2PA', TELLING)],
    ['webp', 'what nobody knows', riff('odd!', TELLING)],
    ['avif', 'a manifest of C2PA', box('uuid', Buffer.concat([Buffer.alloc(16, 0xd8), TELLING]))],
    ['avif', 'a film', box('mpvd', TELLING)],
    ['avif', 'what a user wrote of a film', box('moov', box('udta', TELLING))],
  ] as const)('%s loses %s', async (format, _, more) => {
    const bytes = Buffer.concat([await makePicture(format), more]);
    if (format === 'webp') bytes.writeUInt32LE(bytes.length - 8, 4);
    const { content } = await readFile(bytes);
    expect(content?.includes('SECRET')).toBe(false);
    const pixels = (one: Buffer) => sharp(one).autoOrient().raw().toBuffer();
    expect(await pixels(content ?? bytes)).toEqual(await pixels(bytes));
  });

  test('a HEIC becomes a JPEG without its place, because few can show it', async () => {
    const bytes = readFileSync(join(FIXTURES, 'heif-enc.heic'));
    expect(bytes.includes('SECRETPLACE')).toBe(true);
    const { type, width, height, content } = await readFile(bytes);
    expect({ type, width, height }).toEqual({ type: 'image/jpeg', width: 96, height: 64 });
    expect(content?.includes('SECRETPLACE')).toBe(false);
    expect(await sharp(content ?? bytes).metadata()).toMatchObject({ format: 'jpeg', width: 96, height: 64 });
  });

  test.runIf(IS_LONG)('a picture is stored as it came where that is asked', async () => {
    const { content, width, height } = await readFile(await makePicture('jpeg'), { keepsPlace: true });
    expect({ content, width, height }).toEqual({ content: null, width: 40, height: 60 });
  });

  test.runIf(IS_LONG)(
    'a HEIC keeps its place in its JPEG where that is asked, which is upright',
    async () => {
      const bytes = readFileSync(join(FIXTURES, 'heif-enc.heic'));
      const { type, content } = await readFile(bytes, { keepsPlace: true });
      expect(type).toBe('image/jpeg');
      expect(content?.includes('SECRETPLACE')).toBe(true);
      const { exif, orientation = 1, width, height } = await sharp(content ?? bytes).metadata();
      expect(exif?.includes('SECRETPLACE')).toBe(true);
      expect({ orientation, width, height }).toEqual({ orientation: 1, width: 96, height: 64 });
    },
  );

  const tile = () => readFileSync(join(FIXTURES, 'tile.heic'));

  test.runIf(IS_LONG).each([0, 1, 2, 3])(
    'tiles of a HEIC stand where they belong, turned by %i quarters',
    async (turns) => {
      const { content: one } = await readFile(tile());
      const sheet = await sharp({ create: { width: 1_536, height: 1_024, channels: 3, background: '#fff' } })
        .composite([{ input: one ?? tile(), tile: true, gravity: 'northwest' }])
        .removeAlpha()
        .raw()
        .toBuffer();
      const expected = await sharp(sheet, { raw: { width: 1_536, height: 1_024, channels: 3 } })
        .extract({ left: 0, top: 0, width: 1_300, height: 900 })
        .rotate(-90 * turns)
        .raw()
        .toBuffer();
      const bytes = makeGridHeic(tile(), { columns: 3, rows: 2, width: 1_300, height: 900, turns });
      const { content, width, height } = await readFile(bytes);
      expect([width, height]).toEqual(turns % 2 ? [900, 1_300] : [1_300, 900]);
      const found = await sharp(content ?? bytes)
        .raw()
        .toBuffer();
      let apart = 0;
      for (let at = 0; at < found.length; at += 1) apart += Math.abs((found[at] ?? 0) - (expected[at] ?? 0));
      expect(apart / found.length).toBeLessThan(2);
    },
  );

  test.runIf(IS_LONG)(
    'a HEIC of 48 million pixels, as phones take it, is read within the limits and halved',
    async () => {
      const size = { columns: 16, rows: 12, width: 8_064, height: 6_048 };
      const bytes = makeGridHeic(tile(), { ...size, turns: 3 });
      // The time of other files does not count for a picture.
      const { type, width, height, content } = await readFile(bytes, {
        limits: { ...READING_LIMITS, process: { ...READING_LIMITS.process, cpuMs: 0 } },
      });
      expect({ type, width, height }).toEqual({ type: 'image/jpeg', width: 3_024, height: 4_032 });
      expect(await sharp(content ?? bytes).metadata()).toMatchObject({ width: 3_024, height: 4_032 });
    },
  );

  test.runIf(IS_LONG)('a HEIC of more pixels than are read is refused', async () => {
    const bytes = makeGridHeic(tile(), { columns: 17, rows: 12, width: 8_704, height: 6_144 });
    await expect(readFile(bytes)).rejects.toMatchObject({ code: 'file_too_complex' });
  });

  test.runIf(IS_LONG)('a comment and a foreign block of a GIF go, its animation stays', async () => {
    const blocks = '!\xfe\x06SECRET\0!\xff\x0bXMP DataXMP\x06SECRET\0!\xff\x0bNETSCAPE2.0\x03\x01\0\0\0';
    const frame = '!\xf9\x04\0\0\0\0\0,\0\0\0\0\x01\0\x01\0\0\x02\x02D\x01\0';
    const head = 'GIF89a\x01\0\x01\0\x80\0\0\0\0\0\xff\xff\xff';
    const { content } = await readFile(Buffer.from(`${head}${blocks}${frame}${frame};`, 'latin1'));
    expect(content?.includes('SECRET')).toBe(false);
    expect(content && (await sharp(content, { animated: true }).metadata())).toMatchObject({
      pages: 2,
      loop: 0,
    });
  });

  test.runIf(IS_LONG)('what has nothing to remove is stored as it came', async () => {
    const bytes = await sharp({ create: { width: 1_000, height: 500, channels: 3, background: '#fff' } })
      .png()
      .toBuffer();
    const { content, thumbnail } = await readFile(bytes);
    expect(content).toBeNull();
    expect(await sharp(thumbnail ?? bytes).metadata()).toMatchObject({ width: 480, height: 240 });
  });
});

describe('the process that reads', () => {
  const bytes = Buffer.from('text');

  test('is ended beyond its processor time or memory, which is a fault of the file', async () => {
    for (const limit of [{ cpuMs: 1 }, { stepMs: 1 }, { memory: 1 }]) {
      const limits = { ...READING_LIMITS, process: { ...READING_LIMITS.process, ...limit } };
      await expect(readFile(bytes, { limits })).rejects.toMatchObject({ code: 'file_too_complex' });
    }
  });

  test('that gets no processor time is a failure of ours, and no fault of the file', async () => {
    const reading = readFile(bytes, { limits: { ...READING_LIMITS, timeMs: 1 } });
    await expect(reading).rejects.toThrow('the reader took too long');
    await expect(reading).rejects.not.toHaveProperty('code');
  });

  test('refuses what is longer than may be, before it starts', async () => {
    const reading = readFile(bytes, { limits: { ...READING_LIMITS, bytes: 3 } });
    await expect(reading).rejects.toMatchObject({ code: 'file_too_large' });
  });
});
