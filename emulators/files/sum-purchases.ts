import type { Asked, Language } from '../answers/topic.ts';

interface Purchase {
  name: string;
  quantity: number;
  price: number;
}

interface Purchases {
  file: string;
  lines: Purchase[];
}

const ASKS_FOR_SUM = /合计|总共|add up|in total/i;
const QUANTITY = /^(数量|quantity)$/i;
const PRICE = /^(单价|price)$/i;
const HEAD: Record<Language, string> = {
  zh: '| 品名 | 数量 | 单价 | 小计 |\n| :-- | --: | --: | --: |',
  en: '| Item | Quantity | Price | Sum |\n| :-- | --: | --: | --: |',
};

/** Null where that file is no CSV with a quantity and a price in each line. */
function readPurchases({ files = [] }: Asked): Purchases | null {
  const [file] = files;
  if (files.length !== 1 || !file?.text) return null;
  const [head = [], ...rows] = file.text
    .trim()
    .split(/\r?\n/)
    .map((line) => line.split(',').map((cell) => cell.trim()));
  const quantityAt = head.findIndex((cell) => QUANTITY.test(cell));
  const priceAt = head.findIndex((cell) => PRICE.test(cell));
  const lines = rows.map((row) => ({
    name: row[0] ?? '',
    quantity: Number(row[quantityAt]),
    price: Number(row[priceAt]),
  }));
  const isWhole = lines.every(({ quantity, price }) => Number.isFinite(quantity) && Number.isFinite(price));
  return lines.length > 0 && isWhole ? { file: file.name ?? 'CSV', lines } : null;
}

function sumOf({ quantity, price }: Purchase): number {
  return quantity * price;
}

function write(value: number): string {
  return value.toLocaleString('en-US', { maximumFractionDigits: 2 });
}

function drawTable({ lines }: Purchases, language: Language): string {
  const rows = lines.map(
    (line) => `| ${line.name} | ${write(line.quantity)} | ${write(line.price)} | ${write(sumOf(line))} |`,
  );
  return [HEAD[language], ...rows].join('\n');
}

/** What the purchases in the one file that is given add up to; null where nobody asks for that or the file has none. */
export function sumPurchases(asked: Asked, language: Language): string | null {
  const purchases = ASKS_FOR_SUM.test(asked.prompt) ? readPurchases(asked) : null;
  const [first, ...rest] = purchases?.lines ?? [];
  if (!purchases || !first) return null;
  const total = purchases.lines.reduce((sum, line) => sum + sumOf(line), 0);
  const most = rest.reduce((dearest, line) => (sumOf(line) > sumOf(dearest) ? line : dearest), first);
  const share = Math.round((sumOf(most) / total) * 100);
  const { length } = purchases.lines;
  const said =
    language === 'zh'
      ? `${purchases.file} 里有 ${length} 项，合计 **${write(total)}**。花得最多的是**${most.name}**，${write(sumOf(most))}，占 ${share}%。`
      : `${purchases.file} has ${length} items, **${write(total)}** in all. **${most.name}** costs the most: ${write(sumOf(most))}, ${share}% of the total.`;
  return `${said}\n\n${drawTable(purchases, language)}`;
}
