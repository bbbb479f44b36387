import { preloadModule } from '#web/lib/use-module.ts';

/** Fetches the Markdown renderer; rejects when it does not come. */
export const loadMarkdown = () => import('./answer-markdown.tsx');

/** Fetches the Markdown renderer ahead of the first answer, which has it at once then. */
export function preloadMarkdown(): void {
  void preloadModule(loadMarkdown);
}
