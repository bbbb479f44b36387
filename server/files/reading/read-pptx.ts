import type { Archive } from './open-archive.ts';
import { attributeOf, parseXml } from './parse-xml.ts';
import { wordVisitor } from './read-docx.ts';
import { readRelations } from './read-relations.ts';
import { BoundedText, FileFault, type Found, type ReadingLimits } from './reading-rules.ts';

/** PowerPoint (ECMA-376 part 1, 19): the slides in their order, each with its notes. */
export async function readPptx(archive: Archive, main: string, limits: ReadingLimits): Promise<Found> {
  const { byId } = await readRelations(archive, main);
  const slides: string[] = [];
  await parseXml(archive.read(main), {
    open(name, attributes) {
      const part = name === 'sldId' ? byId.get(attributeOf(attributes, ':id') ?? '') : undefined;
      if (part && archive.has(part)) slides.push(part);
    },
  });
  if (slides.length > limits.pages) throw new FileFault('file_too_complex', 'too many slides');
  const text = new BoundedText(limits.text);
  for (const slide of slides) {
    if (text.length) text.add('\n');
    await parseXml(archive.read(slide), wordVisitor(text));
    const notes = (await readRelations(archive, slide)).byType.get('notesSlide');
    if (notes && archive.has(notes)) await parseXml(archive.read(notes), wordVisitor(text));
  }
  return {
    type: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
    text: text.toString(),
    pages: slides.length,
  };
}
