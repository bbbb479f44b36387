import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { PDFDocumentProxy, PDFPageProxy } from 'pdfjs-dist';
import { getDocument, PasswordException } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { limitPdf } from './limit-pdf.ts';
import { BoundedText, FileFault, type Found, type ReadingLimits } from './reading-rules.ts';
import { sendProgress } from './send-result.ts';

const FOLDER = dirname(createRequire(import.meta.url).resolve('pdfjs-dist/package.json'));
/** Readers look for the end mark in the last 1,024 bytes (ISO 32000-1, H.3); without it the file was cut. */
const TAIL = 4_096;
const MAX_ODD = 0.02;

/**
 * A PDF: its pages, and their text with a line end between them. Nothing is drawn, and its scripts do not run. Its own CMaps come with
 * pdfjs: without them a Chinese PDF whose fonts are not inside gives no text. Throws `file_encrypted` where a password is asked for,
 * `file_unreadable` and `file_too_complex`.
 */
export async function readPdf(bytes: Buffer, limits: ReadingLimits): Promise<Found> {
  if (!bytes.includes('%%EOF', Math.max(0, bytes.length - TAIL), 'latin1'))
    throw new FileFault('file_unreadable', 'the PDF has no end');
  await limitPdf(bytes);
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
      text.add(item.str.replaceAll('\0', ''));
      if (item.hasEOL) text.add('\n');
    }
  }
  text.endLine();
  page.cleanup();
}

/** Fonts without a table of their characters give numbers of glyphs, among them control characters: that is no text. */
function isGarbled(text: string): boolean {
  const odd = text.match(/[\0-\x08\x0e-\x1f\x7f-\x9f\ue000-\uf8ff\ufffd]/g)?.length ?? 0;
  return odd > text.length * MAX_ODD;
}

function pdfFault(fault: unknown): FileFault {
  if (fault instanceof FileFault) return fault;
  const code = fault instanceof PasswordException ? 'file_encrypted' : 'file_unreadable';
  return new FileFault(code, fault instanceof Error ? fault.message : String(fault), { cause: fault });
}
