/** Fetches the Markdown renderer; rejects when it does not come. */
export const loadMarkdown = () => import('./answer-markdown.tsx');

/** Fetches the Markdown renderer ahead of the first answer. */
export function preloadMarkdown(): void {
  loadMarkdown().catch(() => {});
}
