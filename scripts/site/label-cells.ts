/** The HTML of a text whose tables say in each cell how its column is called: a phone shows rows as lists, without their heads. */
export function labelCells(html: string): string {
  return html.replace(/<table>[\s\S]*?<\/table>/g, (table) => {
    const columns = [...table.matchAll(/<th>(.*?)<\/th>/g)].map(([, name]) => name);
    let place = 0;
    return table.replaceAll('<td>', () => `<td data-column="${columns[place++ % columns.length]}">`);
  });
}
