/** What answers of more than text are drawn with, in one piece. */
export { PartBlock, Reasoning } from './answer-parts.tsx';
export { SourceList } from './source-list.tsx';
