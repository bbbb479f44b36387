import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import sharp from 'sharp';
import { TUS_VERSION } from '#contract/limits.ts';
import { WAIT_TIMEOUT_MS } from '#test/patient.ts';
import type { Visitor } from './visitor.ts';

/** A file as Playwright gives it to a page. */
export interface GivenFile {
  name: string;
  mimeType: string;
  buffer: Buffer;
}

/** A file of `server/files/reading/fixtures`. */
export function fixture(name: string, shownAs = name): GivenFile {
  const buffer = readFileSync(join('server/files/reading/fixtures', name));
  return { name: shownAs, mimeType: 'application/octet-stream', buffer };
}

/** A page of a book as a camera takes it. */
export async function photo(page: Page, name: string): Promise<GivenFile> {
  const other = await page.context().newPage();
  await other.setViewportSize({ width: 700, height: 900 });
  await other.setContent(
    '<body style="background:#e9dfca;font:26px/1.7 serif;padding:48px;transform:rotate(-1.2deg)"><h2>第三章 秋</h2><p>山路上的枫叶红了一半，风从谷里吹上来，带着一点凉意。</p><p>“再等半个月，”老人说，“全山都会红。”</p></body>',
  );
  const buffer = await other.screenshot({ type: 'jpeg', quality: 85 });
  await other.close();
  return { name, mimeType: 'image/jpeg', buffer };
}

/** A picture that no compression makes smaller, of about so many megabytes. */
export async function noise(name: string, megabytes: number): Promise<GivenFile> {
  const side = Math.round(Math.sqrt((megabytes * 1_048_576) / 3));
  const raw = { width: side, height: side, channels: 3 as const };
  const buffer = await sharp(randomBytes(side * side * 3), { raw })
    .png({ compressionLevel: 0 })
    .toBuffer();
  return { name, mimeType: 'image/png', buffer };
}

/** A contract of many pages as a browser prints it. */
export async function contract(page: Page, name: string): Promise<GivenFile> {
  const other = await page.context().newPage();
  const clauses = Array.from(
    { length: 300 },
    (_, n) =>
      `<h3>第 ${n + 1} 条</h3><p>甲方应当在收到乙方交付的货物之日起十五个工作日内完成验收，并以书面形式通知乙方验收结果。逾期未通知的，视为验收合格。乙方应当对货物的质量承担责任，质量保证期为验收合格之日起二十四个月。</p>`,
  );
  await other.setContent(`<h1>采购合同</h1>${clauses.join('')}`);
  const buffer = await other.pdf({ format: 'A4' });
  await other.close();
  return { name, mimeType: 'application/pdf', buffer };
}

/** Chooses files by the button's dialog. */
export async function attach({ page }: Visitor, ...files: GivenFile[]): Promise<void> {
  await page.locator('[data-files]').setInputFiles(files);
}

/** The files of the message being written. */
export function attached({ page, say }: Visitor): Locator {
  return page
    .locator('form')
    .getByRole('list', { name: say('files.attached') })
    .getByRole('listitem');
}

/** Waits until a file can be sent. */
export async function whenReady(me: Visitor, name: string): Promise<void> {
  await me.page
    .getByRole('button', { name: me.say('files.remove', { name }), exact: true })
    .waitFor({ timeout: 4 * WAIT_TIMEOUT_MS });
}

/** Reserves so many bytes of the reader's storage: a begun upload counts whole. */
export async function reserve({ page }: Visitor, bytes: number): Promise<number> {
  const name = Buffer.from('reserved.bin').toString('base64');
  const response = await page.request.post('/api/files', {
    headers: {
      'tus-resumable': TUS_VERSION,
      'upload-length': String(bytes),
      'upload-metadata': `filename ${name}`,
    },
  });
  return response.status();
}

/** Pastes what a clipboard holds into the composer. */
export async function paste(me: Visitor, held: { text?: string; file?: GivenFile }): Promise<void> {
  const file = held.file && { ...held.file, buffer: held.file.buffer.toString('base64') };
  await me.composer.evaluate(
    async (field, { text, given }) => {
      const data = new DataTransfer();
      if (text) data.setData('text/plain', text);
      if (given) {
        const bytes = Uint8Array.from(atob(given.buffer), (letter) => letter.charCodeAt(0));
        data.items.add(new File([bytes], given.name, { type: given.mimeType }));
      }
      const event = new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true });
      const isTaken = !field.dispatchEvent(event);
      if (text && !isTaken) document.execCommand('insertText', false, text);
    },
    { text: held.text, given: file },
  );
}
