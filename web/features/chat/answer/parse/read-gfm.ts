import { gfmFromMarkdown } from 'mdast-util-gfm';
import { gfm } from 'micromark-extension-gfm';

interface ParserData {
  micromarkExtensions?: unknown[];
  fromMarkdownExtensions?: unknown[];
}

/**
 * Remark plugin: reads GitHub's Markdown (tables, task lists, strikethrough, footnotes, bare addresses). What remark-gfm does,
 * without the part that writes Markdown, which the page does not need and would load.
 */
export function readGfm(this: { data(): object }): void {
  const data = this.data() as ParserData;
  data.micromarkExtensions = [...(data.micromarkExtensions ?? []), gfm()];
  data.fromMarkdownExtensions = [...(data.fromMarkdownExtensions ?? []), gfmFromMarkdown()];
}
