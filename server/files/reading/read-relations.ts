import type { Archive } from './open-archive.ts';
import { parseXml } from './parse-xml.ts';

/** The parts that a part of an Office file names (ECMA-376 part 2, 6.5). */
export interface Relations {
  byId: Map<string, string>;
  /** By the last word of their type: `officeDocument`, `styles`, `notesSlide`. The first of a type. */
  byType: Map<string, string>;
}

/** Reads what `part` names; '' is the whole file. None where it names nothing; outside addresses are left out. */
export async function readRelations(archive: Archive, part: string): Promise<Relations> {
  const cut = part.lastIndexOf('/') + 1;
  const name = `${part.slice(0, cut)}_rels/${part.slice(cut)}.rels`;
  const relations: Relations = { byId: new Map(), byType: new Map() };
  if (!archive.has(name)) return relations;
  await parseXml(archive.read(name), {
    open(element, { Id = '', Type = '', Target = '', TargetMode }) {
      if (element !== 'Relationship' || TargetMode === 'External') return;
      const target = resolvePart(part, Target);
      const type = Type.slice(Type.lastIndexOf('/') + 1);
      relations.byId.set(Id, target);
      if (!relations.byType.has(type)) relations.byType.set(type, target);
    },
  });
  return relations;
}

/** The part that `target` is, seen from `part`; it never leaves the archive, because it is only a name in it. */
export function resolvePart(part: string, target: string): string {
  const steps = target.startsWith('/') ? [] : part.split('/').slice(0, -1);
  for (const step of target.split('/')) {
    if (step === '..') steps.pop();
    else if (step && step !== '.') steps.push(step);
  }
  return steps.join('/');
}
