interface Node {
  type: string;
  url?: string;
  value?: string;
  children?: Node[];
  position?: { start: { offset?: number }; end: { offset?: number } };
}

/** Full-width punctuation ends a bare address: nobody means `https://example.com。后面` as one. */
const FULL_WIDTH = /[\u3000-\u303f\uff00-\uffef“”‘’…—]/;

/**
 * Remark plugin, after remark-gfm: a bare address stops before full-width punctuation, which GFM takes into the link
 * (https://github.github.com/gfm/#autolinks-extension- knows ASCII punctuation only).
 */
export function trimAutolinks() {
  return (tree: Node) => visit(tree);
}

function visit(parent: Node): void {
  if (!parent.children) return;
  parent.children = parent.children.flatMap((child) => {
    visit(child);
    return child.type === 'link' ? trimLink(child) : [child];
  });
}

function trimLink(link: Node): Node[] {
  const text = link.children?.[0];
  if (link.children?.length !== 1 || text?.type !== 'text' || !isBare(link, text.value ?? '')) return [link];
  const shown = text.value ?? '';
  const cut = shown.search(FULL_WIDTH);
  if (cut <= 0) return [link];
  const dropped = shown.length - cut;
  return [
    {
      ...link,
      url: (link.url ?? '').slice(0, -dropped),
      children: [{ type: 'text', value: shown.slice(0, cut) }],
    },
    { type: 'text', value: shown.slice(cut) },
  ];
}

/** Written without brackets: the source is exactly the text, and the address ends with it. */
function isBare(link: Node, shown: string): boolean {
  const start = link.position?.start.offset ?? 0;
  const end = link.position?.end.offset ?? 0;
  return end - start === shown.length && (link.url ?? '').endsWith(shown);
}
