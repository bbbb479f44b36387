interface Node {
  type: string;
  value?: string;
  children?: Node[];
}

/**
 * Remark plugin: a line end inside a paragraph stays a line end. Models write verses and addresses that way, and a space, which
 * CommonMark makes of it, is wrong between Chinese characters.
 */
export function keepBreaks() {
  return (tree: Node) => visit(tree);
}

function visit(parent: Node): void {
  if (!parent.children) return;
  parent.children = parent.children.flatMap((child) => {
    visit(child);
    return child.type === 'text' && child.value?.includes('\n') ? breakLines(child.value) : [child];
  });
}

function breakLines(text: string): Node[] {
  return text
    .split('\n')
    .flatMap((line, place) => [
      ...(place > 0 ? [{ type: 'break' }] : []),
      { type: 'text', value: line.trim() },
    ]);
}
