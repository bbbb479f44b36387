import { expect, test } from 'vitest';
import type { Archive } from './open-archive.ts';
import { readDocx } from './read-docx.ts';
import { READING_LIMITS } from './reading-rules.ts';

const PART = 'word/document.xml';

/** What a document of these paragraphs says. */
async function textOf(...paragraphs: string[]): Promise<string> {
  const body = paragraphs.map((one) => `<w:p>${one}</w:p>`).join('');
  const archive: Archive = {
    has: (name) => name === PART,
    names: () => [PART].values(),
    async *read() {
      yield Buffer.from(`<w:document><w:body>${body}</w:body></w:document>`);
    },
  };
  return (await readDocx(archive, PART, READING_LIMITS)).text;
}

const run = (text: string) => `<w:r><w:t>${text}</w:t></w:r>`;

test('a passage that was moved with changes tracked stands where it was moved to, and there alone', async () => {
  const gone = `<w:pPr><w:rPr><w:moveFrom w:id="1"/></w:rPr></w:pPr><w:moveFrom w:id="2">${run('The price.')}</w:moveFrom>`;
  const text = await textOf(gone, run('The parties.'), `<w:moveTo w:id="3">${run('The price.')}</w:moveTo>`);
  expect(text.trim()).toBe('The parties.\nThe price.');
});
