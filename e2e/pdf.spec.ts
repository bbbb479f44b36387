import type { Locator } from '@playwright/test';
import { heavyPages } from '#test/hostile-files/heavy-pdfs.ts';
import { onePage } from '#test/hostile-files/make-pdf.ts';
import { attach, contract, fixture, type GivenFile, whenReady } from './attachments.ts';
import { expectAccessibleInBothThemes } from './expect-accessible.ts';
import { long } from './long.ts';
import { journeys, journeysOnScreens } from './texts.ts';
import { BRIEFLY, expect, test, type Visitor } from './visitor.ts';

/** Sends files with a message, and opens the first in the viewer. */
async function view(me: Visitor, ...files: GivenFile[]): Promise<Locator> {
  await me.signUp();
  await attach(me, ...files);
  for (const { name } of files) await whenReady(me, name);
  await me.ask(`${BRIEFLY}?`);
  await me.rest();
  return openFile(me, files[0]?.name ?? '');
}

async function openFile(me: Visitor, name: string): Promise<Locator> {
  await me.turns.first().getByRole('button', { name }).click();
  return me.page.getByRole('dialog', { name });
}

/** How many pixels of a drawn page are dark. */
async function inkOf(page: Locator): Promise<number> {
  return page.evaluate((drawn) => {
    const { width, height } = drawn as HTMLCanvasElement;
    const context = new OffscreenCanvas(width, height).getContext('2d');
    context?.drawImage(drawn as HTMLCanvasElement, 0, 0);
    const pixels = context?.getImageData(0, 0, width, height).data ?? [];
    let ink = 0;
    for (let at = 0; at < pixels.length; at += 4)
      if (pixels[at + 3] === 255 && Number(pixels[at]) < 128) ink += 1;
    return ink;
  });
}

for (const { language, size, title } of journeysOnScreens(
  'the pages of a PDF are drawn where one reads, by hand and by keys',
)) {
  test(
    title,
    long('another journey draws a PDF in its frame, and `files.spec.ts` asks about one'),
    async ({ visitor }) => {
      const me = visitor(language);
      const { page, say } = me;
      await page.setViewportSize(size);
      const viewer = await view(
        me,
        await contract(page, '采购合同.pdf'),
        fixture('reportlab-zh.pdf', '旧合同.pdf'),
      );
      const drawn = (number: number) =>
        viewer.getByRole('img', { name: say('files.pdfPage', { page: number }), exact: true });
      await expect.poll(() => inkOf(drawn(1))).toBeGreaterThan(1_000);
      await expect(viewer.getByRole('listitem').first()).toContainText('采购合同');
      const sheets = await viewer
        .getByRole('list', { name: say('files.pdfPages') })
        .getByRole('listitem')
        .count();
      const count = (number: number) =>
        viewer.getByText(say('files.pdfPageOf', { page: number, count: sheets }));
      await expect(count(1)).toBeAttached();
      expect(sheets).toBeGreaterThan(20);
      await expectAccessibleInBothThemes(page);

      const box = viewer.getByRole('region', { name: say('files.pdfHint') });
      await box.evaluate((element) => element.scrollTo(0, element.scrollHeight));
      await expect(count(sheets)).toBeAttached();
      await expect.poll(() => inkOf(drawn(sheets))).toBeGreaterThan(100);
      await expect(drawn(1)).toHaveCount(0);
      expect(await viewer.locator('canvas').count()).toBeLessThan(6);

      await box.press('ArrowLeft');
      await expect(count(sheets - 1)).toBeAttached();
      const before = (await drawn(sheets - 1).boundingBox())?.width ?? 0;
      await box.press('+');
      await expect(viewer).toContainText('150%');
      await expect(count(sheets - 1)).toBeAttached();
      expect((await drawn(sheets - 1).boundingBox())?.width).toBeGreaterThan(before * 1.4);
      await viewer.getByRole('button', { name: say('files.zoomOut') }).click();

      await viewer.getByText(say('files.pdfText'), { exact: true }).click();
      await expect(viewer).toContainText('第 2 条');
      await page.keyboard.press('Escape');

      // Its fonts are not inside: what the numbers in it stand for comes from our build.
      const other = await openFile(me, '旧合同.pdf');
      const first = other.getByRole('img', { name: say('files.pdfPage', { page: 1 }), exact: true });
      await expect.poll(() => inkOf(first)).toBeGreaterThan(10);
      await expect(other.getByRole('listitem').first()).toContainText('第一页');
    },
  );
}

for (const { language, title } of journeys(
  'a PDF that cannot be shown says so and is still there to download',
)) {
  test(title, long('a detail of the page that seldom breaks'), async ({ visitor }) => {
    const me = visitor(language);
    const { page, say } = me;
    let bytes: Buffer = Buffer.from('%PDF-1.7\nnothing of a PDF\n%%EOF');
    await page.route('**/api/files/*/content', (route) => route.fulfill({ body: bytes }));
    const viewer = await view(me, fixture('reportlab-zh.pdf', '合同.pdf'));
    await expect(viewer.getByRole('alert')).toHaveText(say('files.pdfBroken'));
    await expectAccessibleInBothThemes(page);
    await expect(viewer.getByRole('link', { name: say('files.download') })).toBeVisible();
    await page.keyboard.press('Escape');
    bytes = fixture('encrypted.pdf').buffer;
    await openFile(me, '合同.pdf');
    await expect(viewer.getByRole('alert')).toHaveText(say('files.pdfEncrypted'));
  });
}

for (const { language, title } of journeys(
  'a page that takes too much time or memory is given up and says so, the others are drawn, and closing ends what draws them',
)) {
  test(title, long('a page that draws too long is rare'), async ({ visitor }) => {
    const me = visitor(language);
    const { page, say } = me;
    await page.clock.install();
    await page.setViewportSize({ width: 800, height: 844 });
    await page.route('**/api/files/*/content', (route) => route.fulfill({ body: heavyPages() }));
    const viewer = await view(me, fixture('reportlab-zh.pdf', '图纸.pdf'));
    const drawn = (number: number) =>
      viewer.getByRole('img', { name: say('files.pdfPage', { page: number }), exact: true });
    const givenUp = (number: number) => viewer.getByText(say('files.pdfPageHeavy', { page: number }));
    await expect.poll(() => inkOf(drawn(1))).toBeGreaterThan(100);
    await expect(givenUp(2)).toBeVisible();
    await expect(givenUp(3)).toBeVisible();
    await expect.poll(() => inkOf(drawn(4))).toBeGreaterThan(100);
    // The fifth is in a loop that nobody can stop: its ten seconds pass.
    await expect(async () => {
      await page.clock.fastForward(10_000);
      await expect(givenUp(5)).toBeVisible({ timeout: 1_000 });
    }).toPass();
    await expect.poll(() => inkOf(drawn(6))).toBeGreaterThan(100);
    await expect(viewer.getByRole('listitem').last()).toContainText('text');
    const frames = () => page.frames().filter((one) => one.url().endsWith('/sandbox/pdf')).length;
    expect(frames()).toBe(1);
    await expectAccessibleInBothThemes(page);
    await page.keyboard.press('Escape');
    await expect.poll(frames).toBe(0);
    await expect.poll(() => page.workers().length).toBe(0);
  });
}

test(
  'what draws a PDF has no origin and no network, and a hostile PDF reaches nobody',
  long('what is generated is drawn in the same kind of frame, in both runs'),
  async ({ visitor }) => {
    const me = visitor('zh');
    const { page, say } = me;
    const reached: string[] = [];
    await page.context().route('https://evil.example/**', (route, request) => {
      reached.push(request.url());
      return route.fulfill({ body: '' });
    });
    const link =
      '<< /Type /Annot /Subtype /Link /Rect [0 0 1000000000 1000000000] /A << /S /URI /URI (https://evil.example/link) >> >>';
    const hostile = onePage({
      1: '<< /Type /Catalog /Pages 2 0 R /OpenAction << /S /JavaScript /JS (app.launchURL("https://evil.example/js")) >> >>',
      3: `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 1000000000 1000000000] /Contents 4 0 R /Annots [${link}] >>`,
    });
    const viewer = await view(me, { name: '坏.pdf', mimeType: 'application/pdf', buffer: hostile });
    const drawn = viewer.getByRole('img', { name: say('files.pdfPage', { page: 1 }), exact: true });
    await expect.poll(() => drawn.evaluate((one) => (one as HTMLCanvasElement).width)).toBeGreaterThan(300);
    expect(await drawn.evaluate((one) => (one as HTMLCanvasElement).height)).toBeLessThan(8_192);
    await drawn.click();

    const frame = page.frames().find((one) => one.url().endsWith('/sandbox/pdf'));
    const found = await frame?.evaluate(async () => {
      const answered = (work: Promise<unknown>) =>
        work.then(
          () => 'answered',
          () => 'refused',
        );
      const loaded = (element: HTMLElement, source: string) =>
        answered(
          new Promise((resolve, reject) => {
            Object.assign(element, { onload: resolve, onerror: reject, src: source });
            document.body.append(element);
          }),
        );
      const script = `fetch('${location.href}').then(() => postMessage('answered'), () => postMessage('refused'))`;
      const worker = new Worker(URL.createObjectURL(new Blob([script])));
      return {
        origin: globalThis.origin,
        cookie: await answered(Promise.resolve().then(() => document.cookie)),
        storage: await answered(Promise.resolve().then(() => localStorage)),
        api: await answered(fetch('/api/me')),
        files: await answered(fetch('/sandbox/pdfjs/cmaps/GB-H.bcmap')),
        picture: await loaded(new Image(), 'https://evil.example/a.png'),
        script: await loaded(document.createElement('script'), 'https://evil.example/a.js'),
        parent: await answered(Promise.resolve().then(() => parent.document)),
        code: await answered(Promise.resolve().then(() => new Function('return 1'))),
        worker: await new Promise((resolve) => {
          worker.onmessage = ({ data }) => resolve(data);
        }),
      };
    });
    const { origin: own, ...rest } = found ?? { origin: '' };
    expect(own).toBe('null');
    expect(new Set(Object.values(rest))).toEqual(new Set(['refused']));
    await frame?.evaluate(() => {
      location.href = 'https://evil.example/elsewhere';
    });
    await expect.poll(() => page.frames().some((one) => one.url().endsWith('/sandbox/pdf'))).toBe(false);
    expect(reached).toEqual([]);
    expect(page.context().pages()).toHaveLength(1);
  },
);
