import hljs from 'highlight.js/lib/core';
import bash from 'highlight.js/lib/languages/bash';
import http from 'highlight.js/lib/languages/http';
import json from 'highlight.js/lib/languages/json';
import python from 'highlight.js/lib/languages/python';
import typescript from 'highlight.js/lib/languages/typescript';
import { decodeEntities } from '#web/features/chat/answer/code/decode-entities.ts';

for (const [name, grammar] of Object.entries({ bash, http, json, python, typescript })) {
  hljs.registerLanguage(name, grammar);
}

const BLOCK = /(<code class="language-(\w+)">)([^<]*)(?=<\/code>)/g;

/** Code as HTML with the classes of `code-colours.css`. Only for loaders, which run in the build: no browser needs the grammars. */
export function colourCode(code: string, language: string): string {
  return hljs.highlight(code, { language, ignoreIllegals: true }).value;
}

/** The HTML of a text with its blocks of code coloured, where they name a language that is known here. */
export function colourBlocks(html: string): string {
  return html.replace(BLOCK, (whole, tag: string, language: string, escaped: string) => {
    if (!hljs.getLanguage(language)) return whole;
    return tag + colourCode(decodeEntities(escaped), language);
  });
}
