import type { Language } from '../payments/page.ts';
import type { SeenElement, Sight } from '../site/sights.ts';
import type { Move } from './action.ts';
import type { Goal } from './read-goal.ts';

/** What the emulated model sees when it chooses. */
export interface Look {
  goal: Goal;
  sight: Sight;
  /** Rows of tables that it has seen so far. */
  rows: string[][];
  /** The path of the page, without its language. */
  path: string;
}

/** Something that the emulated model can do on the demonstration site. */
export interface Task {
  wants: RegExp;
  host: string;
  /** Said on the way there. */
  open: Record<Language, string>;
  next(look: Look): Move;
}

function find(sight: Sight, role: SeenElement['role'], name: RegExp): SeenElement | undefined {
  return sight.elements.find((element) => element.role === role && name.test(element.name));
}

function say(goal: Goal, zh: string, en: string): string {
  return goal.language === 'zh' ? zh : en;
}

function click({ goal, sight }: Look, role: SeenElement['role'], name: RegExp, ask?: string): Move {
  const element = find(sight, role, name);
  if (!element) return lost(goal);
  const intent = say(goal, `点击“${element.name}”`, `Click “${element.name}”`);
  return {
    kind: 'act',
    action: { kind: 'click', x: element.x, y: element.y },
    intent,
    ...(ask ? { ask } : {}),
  };
}

function fill({ goal }: Look, element: SeenElement, text: string, enter = false): Move {
  const intent = say(goal, `在“${element.name}”里填写 ${text}`, `Fill in “${element.name}” with ${text}`);
  const before = say(goal, `点击“${element.name}”`, `Click “${element.name}”`);
  return { kind: 'act', action: { kind: 'fill', x: element.x, y: element.y, text, enter }, intent, before };
}

function lost(goal: Goal): Move {
  return {
    kind: 'say',
    text: say(
      goal,
      '这个页面上没有找到需要的内容，我先停在这里。',
      'This page doesn’t have what I need, so I stop here.',
    ),
  };
}

function drawMarkdown(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

function readPrices(look: Look): Move {
  const { goal, sight, rows, path } = look;
  if (path !== '/prices') return click(look, 'link', /^(看价目表|See the price list|价目表|Price list)$/);
  if (!sight.atEnd) {
    const intent = say(goal, '向下滚动，看后面的价格', 'Scroll down for the other prices');
    return { kind: 'act', action: { kind: 'scroll' }, intent };
  }
  const said = say(
    goal,
    `价目表里共有 ${rows.length} 种，价格如下：`,
    `The price list has ${rows.length} items. The prices:`,
  );
  return { kind: 'say', text: `${said}\n\n${drawMarkdown(sight.head, rows)}` };
}

function download(look: Look): Move {
  const { goal, path } = look;
  const [name] = goal.offered;
  if (name !== undefined) {
    return {
      kind: 'say',
      text: say(
        goal,
        `网页提供了价目表文件 \`${name}\`，在浏览器下面点“保存为文件”就能存到这个对话。`,
        `The page offers the price list as \`${name}\`. Choose “Save as a file” under the browser to save it in this conversation.`,
      ),
    };
  }
  if (path !== '/prices') return click(look, 'link', /^(看价目表|See the price list|价目表|Price list)$/);
  return click(look, 'link', /^(下载价目表（CSV）|Download the price list \(CSV\))$/);
}

const FIRST = { zh: '林晓', en: 'Alex Lin' };

function register(look: Look): Move {
  const { goal, sight, path } = look;
  if (path === '/tasting/registered') return registered(look);
  if (path !== '/tasting')
    return click(look, 'link', /^(报名品茶会|Register for the tasting|品茶会|Tea tasting)$/);
  const name = find(sight, 'field', /^(姓名|Name)$/);
  if (!name) return lost(goal);
  if (name.value === '') return fill(look, name, nameIn(goal.text) ?? FIRST[goal.language]);
  const phone = find(sight, 'field', /^(手机号|Mobile number)$/);
  if (phone?.value === '') return fill(look, phone, /\d[\d -]{6,}\d/.exec(goal.text)?.[0] ?? '13800138000');
  const pair = find(sight, 'choice', /^(2 人|2 people)$/);
  if (pair && !pair.checked && /两|2 ?(人|位|个|people|persons)|two/i.test(goal.text)) {
    return click(look, 'choice', /^(2 人|2 people)$/);
  }
  const ask = say(
    goal,
    `将以“${name.value}”的名义提交报名，手机号会交给店家。`,
    `This registers “${name.value}” and gives the shop the mobile number.`,
  );
  return click(look, 'button', /^(提交报名|Register)$/, ask);
}

function nameIn(text: string): string | null {
  const zh = /(?:姓名|名字|叫|我是|替|为)[是填：: ]*([\p{Script=Han}]{2,4}?)(?=[，。,. 报的、]|$)/u.exec(
    text,
  )?.[1];
  return zh ?? /(?:name is|named|for|as) ([A-Z][a-z]+(?: [A-Z][a-z]+)?)/.exec(text)?.[1] ?? null;
}

function registered({ goal, sight }: Look): Move {
  const number = /[T]\d{6}/.exec(sight.everything)?.[0];
  if (!number) return lost(goal);
  return {
    kind: 'say',
    text: say(
      goal,
      `已经报名成功，报名编号是 **${number}**。`,
      `You are registered. The number is **${number}**.`,
    ),
  };
}

function subscribe(look: Look): Move {
  const { goal, sight, path } = look;
  if (sight.url.includes('//partner.test')) {
    return {
      kind: 'say',
      text: say(
        goal,
        '订阅好了，来信会由 partner.test 寄送。',
        'You are subscribed; partner.test sends the letter.',
      ),
    };
  }
  if (path !== '/letter') return click(look, 'link', /^(订阅来信|Get the letter|每月来信|Monthly letter)$/);
  const email = find(sight, 'field', /^(邮箱|Email)$/);
  const wanted = /[\w.+-]+@[\w-]+\.[\w.]+/.exec(goal.text)?.[0] ?? 'reader@example.com';
  if (email?.value === '') return fill(look, email, wanted);
  return click(look, 'button', /^(订阅|Subscribe)$/);
}

const CITIES = /杭州|上海|南京|苏州|北京|宁波|hangzhou|shanghai|nanjing|suzhou|beijing|ningbo/gi;

function findTrain(look: Look): Move {
  const { goal, sight, rows } = look;
  const [from = say(goal, '杭州', 'Hangzhou'), to = say(goal, '上海', 'Shanghai')] =
    goal.text.match(CITIES) ?? [];
  if (rows.length > 0) {
    if (!sight.atEnd) {
      const intent = say(goal, '向下滚动，看后面的车次', 'Scroll down for later trains');
      return { kind: 'act', action: { kind: 'scroll' }, intent };
    }
    const said = say(goal, `${from}到${to}的列车：`, `Trains from ${from} to ${to}:`);
    return { kind: 'say', text: `${said}\n\n${drawMarkdown(sight.head, rows)}` };
  }
  const start = find(sight, 'field', /^(出发站|From)$/);
  const end = find(sight, 'field', /^(到达站|To)$/);
  if (!start || !end) return lost(goal);
  if (start.value !== from) return fill(look, start, from);
  if (end.value !== to) return fill(look, end, to, true);
  return click(look, 'button', /^(查询|Search)$/);
}

function readMail(look: Look): Move {
  const { goal, sight, path } = look;
  if (path !== '/') {
    const links = sight.elements.map(({ name }) => name);
    const text = sight.lines.filter((line) => !links.includes(line)).slice(0, -1);
    return {
      kind: 'say',
      text: `${say(goal, '这封邮件写的是：', 'The mail says:')}\n\n${text.map((line) => `> ${line}`).join('\n>\n')}`,
    };
  }
  const links = sight.elements.filter(({ role, name }) => role === 'link' && !/^(收件箱|Inbox)$/.test(name));
  const wanted = MAILS.find(([words]) => words.test(goal.text))?.[1];
  const letter = links.find(({ name }) => wanted?.test(name)) ?? links[0];
  if (!letter) return lost(goal);
  const intent = say(goal, `打开“${letter.name}”`, `Open “${letter.name}”`);
  return { kind: 'act', action: { kind: 'click', x: letter.x, y: letter.y }, intent };
}

const MAILS: readonly (readonly [RegExp, RegExp])[] = [
  [/周先生|房东|暖气|landlord|heating|zhou/i, /暖气|Heating/],
  [/合唱|排练|choir|rehearsal/i, /排练|Rehearsal/],
];

/** What can be done on the demonstration site, the most telling words first. */
export const TASKS: readonly Task[] = [
  {
    wants: /下载|download|csv/i,
    host: 'shop.test',
    open: { zh: '打开山前茶行的网站', en: 'Open the site of Hillside Tea' },
    next: download,
  },
  {
    wants: /订阅|来信|newsletter|subscribe|monthly letter/i,
    host: 'shop.test',
    open: { zh: '打开山前茶行的网站', en: 'Open the site of Hillside Tea' },
    next: subscribe,
  },
  {
    wants: /报名|品茶|预约|register|sign me up|tasting|book a/i,
    host: 'shop.test',
    open: { zh: '打开山前茶行的网站', en: 'Open the site of Hillside Tea' },
    next: register,
  },
  {
    wants: /火车|列车|车次|高铁|时刻|动车|train|timetable|rail\.test/i,
    host: 'rail.test',
    open: { zh: '打开江南铁路的时刻表', en: 'Open the timetable of Jiangnan Rail' },
    next: findTrain,
  },
  {
    wants: /邮件|邮箱|来信|收件箱|mail|inbox|letter/i,
    host: 'mail.test',
    open: { zh: '打开河口邮箱', en: 'Open Estuary Mail' },
    next: readMail,
  },
  {
    wants: /价格|价目|多少钱|商店|茶|咖啡|price|shop|tea|coffee/i,
    host: 'shop.test',
    open: { zh: '打开山前茶行的网站', en: 'Open the site of Hillside Tea' },
    next: readPrices,
  },
];

/** Said of everything else. */
export const OFFLINE_TEXT = {
  zh: `现在接的是模拟的模型，它只会用这台电脑上的演示网站。可以试试：

- 打开 shop.test，把价格整理成表格
- 打开 shop.test，下载价目表
- 打开 shop.test，替林晓报名品茶会，两位，手机 13800138000
- 打开 shop.test，用 reader@example.com 订阅每月来信
- 打开 rail.test，查杭州到上海的列车
- 打开 mail.test，看看图书馆的邮件

设置 GEMINI_API_KEY 后，它就能用真正的网站。`,
  en: `An emulated model is connected. It only knows the demonstration site on this computer. Try one of these:

- Open shop.test and put the prices in a table
- Open shop.test and download the price list
- Open shop.test and register Alex Lin for the tasting, two people, 13800138000
- Open shop.test and subscribe reader@example.com to the monthly letter
- Open rail.test and find trains from Hangzhou to Shanghai
- Open mail.test and read the mail from the library

Set GEMINI_API_KEY to use real sites.`,
};
