import { escapeHtml } from '../payments/page.ts';
import { drawField, drawTable, type Site, type SitePage, type View } from './site-page.ts';

const CITIES = [
  ['杭州', 'Hangzhou'],
  ['上海', 'Shanghai'],
  ['南京', 'Nanjing'],
  ['苏州', 'Suzhou'],
  ['北京', 'Beijing'],
  ['宁波', 'Ningbo'],
] as const;

const TEXTS = {
  zh: {
    title: '查时刻表',
    from: '出发站',
    to: '到达站',
    look: '查询',
    head: ['车次', '出发', '到达', '历时', '二等座'],
    none: '没有找到车次。可以查的城市：',
    result: '的列车',
    minutes: '分钟',
    today: '每日开行，时刻为演示数据。',
  },
  en: {
    title: 'Timetable',
    from: 'From',
    to: 'To',
    look: 'Search',
    head: ['Train', 'Departs', 'Arrives', 'Duration', 'Second class'],
    none: 'No trains found. You can search these cities: ',
    result: '',
    minutes: 'min',
    today: 'Trains run daily. The times are made up for this demo.',
  },
} as const;

const DEPARTURES = [412, 475, 558, 663, 790, 905, 1028, 1145];

function cityOf(name: string): number {
  return CITIES.findIndex((names) => names.some((each) => each.toLowerCase() === name.trim().toLowerCase()));
}

function clock(minutes: number): string {
  return `${String(Math.floor(minutes / 60) % 24).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;
}

function trainsBetween(from: number, to: number, minutesWord: string): string[][] {
  const length = 38 + Math.abs(from - to) * 27;
  return DEPARTURES.map((base, index) => {
    const at = base + from * 7 + to * 3;
    const takes = length + (index % 3) * 6;
    const number = `G${7000 + from * 300 + to * 40 + index * 2 + 1}`;
    return [number, clock(at), clock(at + takes), `${takes} ${minutesWord}`, `¥${Math.round(takes * 1.15)}`];
  });
}

function drawSearch({ language, link, query, visit }: View): SitePage {
  const text = TEXTS[language];
  const from = query.get('from') ?? '';
  const to = query.get('to') ?? '';
  const form = `<form method="get" action="${link('/').split('?')[0]}"><input type="hidden" name="visit" value="${escapeHtml(visit)}">
${drawField('from', text.from, 'text', from)}${drawField('to', text.to, 'text', to)}<button>${text.look}</button></form>`;
  const [start, end] = [cityOf(from), cityOf(to)];
  const found =
    start >= 0 && end >= 0 && start !== end
      ? `<h2>${escapeHtml(from)} → ${escapeHtml(to)}${text.result}</h2>${drawTable(text.head, trainsBetween(start, end, text.minutes))}`
      : from === ''
        ? ''
        : `<p role="status">${text.none}${CITIES.map(([zh, en]) => (language === 'zh' ? zh : en)).join(language === 'zh' ? '、' : ', ')}</p>`;
  return {
    title: text.title,
    body: `<h1>${text.title}</h1><p class="quiet">${text.today}</p>${form}${found}`,
  };
}

/** A timetable with a search. */
export const RAIL: Site = {
  name: { zh: '江南铁路', en: 'Jiangnan Rail' },
  tint: '#1f4e79',
  nav: { zh: [['时刻表', '/']], en: [['Timetable', '/']] },
  answer: (view) => (view.path === '/' ? drawSearch(view) : null),
};
