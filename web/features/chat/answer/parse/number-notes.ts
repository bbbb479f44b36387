interface Node {
  type: string;
  identifier?: string;
  url?: string;
  value?: string;
  children?: Node[];
  data?: Record<string, unknown>;
}

/** What a footnote is numbered, and whether this block is the first that points to it. */
export interface NoteNumber {
  number: number;
  isFirst: boolean;
}

/**
 * Remark plugin: makes links of what points to footnotes, by numbers that hold for the whole answer, and drops the definitions,
 * which stand at its end. `prefix` keeps the anchors apart from those of other answers.
 */
export function numberNotes({ prefix, notes }: { prefix: string; notes: Record<string, NoteNumber> }) {
  const anchored = new Set<string>();
  const visit = (parent: Node): void => {
    if (!parent.children) return;
    parent.children = parent.children.flatMap((child) => {
      if (child.type === 'footnoteDefinition') return [];
      visit(child);
      const label = child.type === 'footnoteReference' ? (child.identifier ?? '') : '';
      const note = notes[label];
      if (!note) return [child];
      const isTarget = note.isFirst && !anchored.has(label);
      anchored.add(label);
      return [referenceTo(note, prefix, isTarget)];
    });
  };
  return visit;
}

function referenceTo({ number }: NoteNumber, prefix: string, isTarget: boolean): Node {
  const link: Node = {
    type: 'link',
    url: `#${prefix}-fn-${number}`,
    data: { hProperties: isTarget ? { id: `${prefix}-fnref-${number}` } : {} },
    children: [{ type: 'text', value: String(number) }],
  };
  return { type: 'note', data: { hName: 'sup' }, children: [link] };
}
