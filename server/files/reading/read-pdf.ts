import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { constants, createInflate, type Inflate } from 'node:zlib';
import type { PDFDocumentProxy, PDFPageProxy } from 'pdfjs-dist';
import { getDocument, PasswordException } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { MEGABYTE } from '#contract/limits.ts';
import { replaceRadicals } from '#contract/message/radicals.ts';
import { BoundedText, FileFault, type Found, type ReadingLimits } from './reading-rules.ts';
import { sendProgress } from './send-result.ts';

const FOLDER = dirname(createRequire(import.meta.url).resolve('pdfjs-dist/package.json'));
/** Readers look for the end mark in the last 1,024 bytes (ISO 32000-1, H.3); without it the file was cut. */
const TAIL = 4_096;
/** What one stream, and all together, may inflate to: pdfjs holds a stream as a whole. */
const MAX_STREAM = 32 * MEGABYTE;
const MAX_TOTAL = 256 * MEGABYTE;
/** A shorter one that is packed once cannot inflate beyond 4 MB. */
const MIN_LENGTH = 4_096;
const MAX_FILTERS = 4;
const DICTIONARY = 2_048;
/** Pictures and files inside are not unpacked for the text; a white scan is as small as a bomb. */
const NOT_READ = /\/Subtype\s*\/Image\b|\/Type\s*\/EmbeddedFile\b/;
const MAX_ODD = 0.02;

/**
 * A PDF: its pages, and their text with a line end between them. Nothing is drawn, and its scripts do not run. Its own CMaps come with
 * pdfjs: without them a Chinese PDF whose fonts are not inside gives no text. Throws `file_encrypted` where a password is asked for,
 * `file_unreadable` and `file_too_complex`.
 */
export async function readPdf(bytes: Buffer, limits: ReadingLimits): Promise<Found> {
  if (!bytes.includes('%%EOF', Math.max(0, bytes.length - TAIL), 'latin1'))
    throw new FileFault('file_unreadable', 'the PDF has no end');
  await refuseBombs(bytes);
  sendProgress();
  try {
    const document = await openDocument(bytes);
    const pages = document.numPages;
    if (pages < 1) throw new FileFault('file_unreadable', 'no pages');
    if (pages > limits.pages) throw new FileFault('file_too_complex', 'too many pages');
    const text = new BoundedText(limits.text);
    for (let number = 1; number <= pages; number += 1) {
      if (number > 1) text.add('\n');
      await readPage(await document.getPage(number), text);
      sendProgress();
    }
    return { type: 'application/pdf', text: isGarbled(text.toString()) ? '' : text.toString(), pages };
  } catch (fault) {
    throw pdfFault(fault);
  }
}

function openDocument(bytes: Buffer): Promise<PDFDocumentProxy> {
  return getDocument({
    data: new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength),
    cMapUrl: join(FOLDER, 'cmaps/'),
    standardFontDataUrl: join(FOLDER, 'standard_fonts/'),
    useWasm: false,
    useSystemFonts: false,
    disableFontFace: true,
    verbosity: 0,
  }).promise;
}

async function readPage(page: PDFPageProxy, text: BoundedText): Promise<void> {
  const reader = page.streamTextContent().getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    for (const item of value.items) {
      if (!('str' in item)) continue;
      text.add(replaceRadicals(item.str.replaceAll('\0', '')));
      if (item.hasEOL) text.add('\n');
    }
  }
  text.endLine();
  page.cleanup();
}

/**
 * Fonts without a table of their characters give numbers of glyphs, among them control characters: that is no text. A private character
 * that stands alone is a bullet, as Word writes those of Symbol and Wingdings.
 */
function isGarbled(text: string): boolean {
  const odd = text.match(/[^\P{Cc}\n\t]|\ufffd|(?<=\S)\p{Co}|\p{Co}(?=\S)/gu)?.length ?? 0;
  return odd > text.length * MAX_ODD;
}

function pdfFault(fault: unknown): FileFault {
  if (fault instanceof FileFault) return fault;
  const code = fault instanceof PasswordException ? 'file_encrypted' : 'file_unreadable';
  return new FileFault(code, fault instanceof Error ? fault.message : String(fault), { cause: fault });
}

/**
 * Refuses flate bombs before pdfjs opens the file: each stream that it may read is inflated once, its result thrown away. Throws
 * `file_too_complex`. What is hidden from this (other filters) ends at the limits of the process.
 */
async function refuseBombs(bytes: Buffer): Promise<void> {
  let total = 0;
  for (let at = bytes.indexOf('stream'); at !== -1; at = bytes.indexOf('stream', at)) {
    const from = bytes[at + 6] === 13 ? at + 8 : at + 7;
    const end = bytes.indexOf('endstream', from);
    const to = end === -1 ? bytes.length : end;
    const filters = countFilters(dictionaryBefore(bytes, at));
    if (filters > 1 || (filters === 1 && to - from >= MIN_LENGTH))
      total += await inflatedLength(bytes.subarray(from, to), filters);
    if (total > MAX_TOTAL) throw new FileFault('file_too_complex', 'the PDF inflates to too much');
    at = to + 9;
  }
}

function dictionaryBefore(bytes: Buffer, at: number): string {
  const text = bytes.toString('latin1', Math.max(0, at - DICTIONARY), at);
  return text.slice(text.lastIndexOf(' obj') + 1);
}

/** How often a stream is packed by flate; 0 where it is not, or not read. */
function countFilters(dictionary: string): number {
  if (NOT_READ.test(dictionary)) return 0;
  const filters = dictionary.match(/\/(FlateDecode|Fl)\b/g)?.length ?? 0;
  if (filters > MAX_FILTERS) throw new FileFault('file_too_complex', 'a stream is packed too often');
  return filters;
}

async function inflatedLength(packed: Buffer, filters: number): Promise<number> {
  const stages = Array.from({ length: filters }, () =>
    createInflate({ finishFlush: constants.Z_SYNC_FLUSH, chunkSize: 65_536 }),
  );
  let length = 0;
  const last = stages.reduce((from: Inflate, to) => {
    from.on('error', (fault) => to.destroy(fault));
    return from.pipe(to);
  });
  stages[0]?.end(packed);
  try {
    for await (const piece of last as AsyncIterable<Buffer>) {
      length += piece.length;
      if (length > MAX_STREAM) throw new FileFault('file_too_complex', 'a stream inflates as a bomb does');
    }
  } catch (fault) {
    // What is broken is for pdfjs to judge.
    if (fault instanceof FileFault) throw fault;
  } finally {
    for (const stage of stages) stage.destroy();
  }
  return length;
}
