/** Prints a title and lines, and nothing of the page. */
export function printText(title: string, lines: string[]): void {
  const frame = document.createElement('iframe');
  frame.hidden = true;
  document.body.append(frame);
  const inside = frame.contentDocument;
  const view = frame.contentWindow;
  if (!inside || !view) return;
  const heading = inside.createElement('h1');
  heading.textContent = title;
  const text = inside.createElement('pre');
  text.textContent = lines.join('\n');
  inside.title = title;
  inside.body.append(heading, text);
  view.addEventListener('afterprint', () => frame.remove());
  view.print();
}
