interface Node {
  type: string;
  identifier?: string;
  /** The identifier as it is written. */
  label?: string;
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
 * Remark plugin: makes links of what points to footnotes, by numbers that hold for the whole answer, and drops their definitions,
 * which stand at its end. Footnotes without a number, as those of a list, stay where and as they are written. `prefix` keeps the
 * anchors apart from those of other answers.
 */
export function numberNotes({ prefix, notes }: { prefix: string; notes: Record<string, NoteNumber> }) {
  const anchored = new Set<string>();
  const visit = (parent: Node): void => {
    if (!parent.children) return;
    parent.children = parent.children.flatMap((child) => {
      const label = child.identifier ?? '';
      const note = Object.hasOwn(notes, label) ? notes[label] : undefined;
      if (note && child.type === 'footnoteDefinition') return [];
      visit(child);
      if (child.type !== 'footnoteReference' && child.type !== 'footnoteDefinition') return [child];
      if (!note) return asWritten(child);
      const isTarget = note.isFirst && !anchored.has(label);
      anchored.add(label);
      return [referenceTo(note, prefix, isTarget)];
    });
  };
  return visit;
}

function asWritten({ type, label = '', children = [] }: Node): Node[] {
  if (type === 'footnoteReference') return [{ type: 'text', value: `[^${label}]` }];
  const name: Node = { type: 'text', value: `[^${label}]: ` };
  const [first, ...rest] = children;
  if (first?.type !== 'paragraph') return [{ type: 'paragraph', children: [name] }, ...children];
  return [{ ...first, children: [name, ...(first.children ?? [])] }, ...rest];
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
