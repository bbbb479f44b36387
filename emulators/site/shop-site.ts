import { escapeHtml, type Language } from '../payments/page.ts';
import {
  drawField,
  drawTable,
  type Site,
  type SiteFile,
  type SitePage,
  type SiteTurn,
  type View,
} from './site-page.ts';

const GOODS: readonly (readonly [
  zh: string,
  en: string,
  fromZh: string,
  fromEn: string,
  grams: number,
  yuan: number,
])[] = [
  ['西湖龙井', 'West Lake Longjing', '浙江杭州', 'Hangzhou, Zhejiang', 100, 168],
  ['碧螺春', 'Biluochun', '江苏苏州', 'Suzhou, Jiangsu', 100, 152],
  ['黄山毛峰', 'Huangshan Maofeng', '安徽黄山', 'Huangshan, Anhui', 100, 98],
  ['铁观音', 'Tieguanyin', '福建安溪', 'Anxi, Fujian', 125, 86],
  ['大红袍', 'Da Hong Pao', '福建武夷山', 'Wuyi, Fujian', 125, 138],
  ['凤凰单丛', 'Phoenix Dancong', '广东潮州', 'Chaozhou, Guangdong', 100, 126],
  ['正山小种', 'Lapsang Souchong', '福建武夷山', 'Wuyi, Fujian', 100, 92],
  ['祁门红茶', 'Keemun', '安徽祁门', 'Qimen, Anhui', 100, 79],
  ['白毫银针', 'Silver Needle', '福建福鼎', 'Fuding, Fujian', 50, 145],
  ['熟普洱', 'Ripe Pu’er', '云南勐海', 'Menghai, Yunnan', 200, 118],
  ['茉莉花茶', 'Jasmine green tea', '广西横州', 'Hengzhou, Guangxi', 100, 56],
  ['云南小粒咖啡', 'Yunnan Arabica coffee', '云南普洱', 'Pu’er, Yunnan', 250, 68],
];

const TEXTS = {
  zh: {
    hello: '一杯好茶，从产地说起',
    about: '我们每年春天去各个产区，带回当季的茶和咖啡豆。价格写明，称重发货。',
    cards: [
      ['价目表', '全部茶叶与咖啡豆的产地、净重和价格', '看价目表', '/prices'],
      ['品茶会', '每周六下午三点，一小时，喝五种茶', '报名品茶会', '/tasting'],
      ['每月来信', '新茶到店和冲泡方法，每月一封', '订阅来信', '/letter'],
    ],
    prices: '价目表',
    vary: '价格含税，满 200 元包邮。',
    download: '下载价目表（CSV）',
    head: ['名称', '产地', '净重', '价格'],
    tasting: '报名品茶会',
    when: '本周六 15:00，杭州店二楼。免费，座位十二个。',
    name: '姓名',
    phone: '手机号',
    people: '人数',
    one: '1 人',
    two: '2 人',
    send: '提交报名',
    missing: '请填好姓名和手机号。',
    done: '报名成功',
    number: '报名编号',
    letter: '订阅每月来信',
    sentBy: '来信由 partner.test 代为寄送，提交后，你的邮箱地址会交给它。',
    email: '邮箱',
    subscribe: '订阅',
  },
  en: {
    hello: 'Good tea begins where it grows',
    about:
      'Every spring we travel to the growers and bring back tea and coffee of the season. Plain prices, packed by weight.',
    cards: [
      ['Price list', 'Origin, weight and price of every tea and coffee', 'See the price list', '/prices'],
      ['Tea tasting', 'Saturdays at three, one hour, five teas', 'Register for the tasting', '/tasting'],
      ['Monthly letter', 'New arrivals and brewing notes, once a month', 'Get the letter', '/letter'],
    ],
    prices: 'Price list',
    vary: 'Tax included. Free delivery from ¥200.',
    download: 'Download the price list (CSV)',
    head: ['Name', 'Origin', 'Weight', 'Price'],
    tasting: 'Register for the tasting',
    when: 'This Saturday at 15:00, upstairs in the Hangzhou shop. Free, twelve seats.',
    name: 'Name',
    phone: 'Mobile number',
    people: 'Number of people',
    one: '1 person',
    two: '2 people',
    send: 'Register',
    missing: 'Please fill in your name and mobile number.',
    done: 'You are registered',
    number: 'Registration number',
    letter: 'Get the monthly letter',
    sentBy: 'The letter is sent by partner.test, which receives your address when you subscribe.',
    email: 'Email',
    subscribe: 'Subscribe',
  },
} as const;

const PAGES: Record<string, (view: View) => SitePage | SiteTurn | SiteFile> = {
  '/': ({ language, link }) => {
    const text = TEXTS[language];
    const cards = text.cards.map(
      ([title, about, label, path]) =>
        `<div class="card"><h2 style="margin-top:0">${title}</h2><p class="quiet">${about}</p><a class="button" href="${link(path)}">${label}</a></div>`,
    );
    return {
      title: text.hello,
      body: `<h1>${text.hello}</h1><p>${text.about}</p><div class="cards">${cards.join('')}</div>`,
    };
  },
  '/prices': ({ language, link }) => {
    const text = TEXTS[language];
    const download = `<a href="${link('/prices.csv')}">${text.download}</a>`;
    const body = `<h1>${text.prices}</h1><p class="quiet">${text.vary} ${download}</p>${drawTable(text.head, pricesIn(language))}`;
    return { title: text.prices, body };
  },
  '/prices.csv': ({ language }) => {
    const rows = [TEXTS[language].head, ...pricesIn(language)].map((cells) =>
      cells.map((cell) => (cell.includes(',') ? `"${cell}"` : cell)).join(','),
    );
    return { file: 'prices.csv', type: 'text/csv; charset=utf-8', content: `${rows.join('\n')}\n` };
  },
  '/tasting': (view) => (view.form ? answerRegistration(view, view.form) : drawRegistration(view, null)),
  '/tasting/registered': drawRegistered,
  '/letter': ({ language, linkTo }) => {
    const text = TEXTS[language];
    const body = `<h1>${text.letter}</h1><p>${text.sentBy}</p><form method="post" action="${linkTo('partner.test', '/subscribe')}">
${drawField('email', text.email, 'email')}<button>${text.subscribe}</button></form>`;
    return { title: text.letter, body };
  },
};

function pricesIn(language: Language): string[][] {
  return GOODS.map(([zh, en, fromZh, fromEn, grams, yuan]) =>
    language === 'zh' ? [zh, fromZh, `${grams} 克`, `¥${yuan}`] : [en, fromEn, `${grams} g`, `¥${yuan}`],
  );
}

function drawRegistration({ language, link }: View, problem: string | null): SitePage {
  const text = TEXTS[language];
  const choice = (value: string, label: string, checked: string) =>
    `<label class="row"><input type="radio" name="people" value="${value}"${checked}>${label}</label>`;
  const body = `<h1>${text.tasting}</h1><p>${text.when}</p>${problem ? `<p role="alert">${problem}</p>` : ''}
<form method="post" action="${link('/tasting')}">${drawField('name', text.name)}${drawField('phone', text.phone, 'tel')}
<div><div style="margin-bottom:.3rem">${text.people}</div><fieldset>${choice('1', text.one, ' checked')}${choice('2', text.two, '')}</fieldset></div>
<button>${text.send}</button></form>`;
  return { title: text.tasting, body };
}

const KEPT = 200;
/** Registrations by visit. */
const registrations = new Map<string, URLSearchParams>();

function answerRegistration(view: View, form: URLSearchParams): SitePage | SiteTurn {
  const isWhole = ['name', 'phone'].every((name) => form.get(name)?.trim());
  if (!isWhole) return drawRegistration(view, TEXTS[view.language].missing);
  registrations.set(view.visit, form);
  for (const visit of [...registrations.keys()].slice(0, -KEPT)) registrations.delete(visit);
  return { goTo: view.link('/tasting/registered') };
}

function drawRegistered(view: View): SitePage | SiteTurn {
  const text = TEXTS[view.language];
  const form = registrations.get(view.visit);
  if (!form) return { goTo: view.link('/tasting') };
  const name = form.get('name') ?? '';
  const phone = form.get('phone') ?? '';
  const rows = [
    [text.name, name],
    [text.phone, phone],
    [text.people, form.get('people') === '2' ? text.two : text.one],
    [text.number, numberOf(name + phone)],
  ];
  const list = rows
    .map(([label = '', value = '']) => `<dt>${label}</dt><dd>${escapeHtml(value)}</dd>`)
    .join('');
  const body = `<h1>${text.done}</h1><p>${text.when}</p><dl class="card">${list}</dl>`;
  return { title: text.done, body };
}

function numberOf(value: string): string {
  let sum = 7;
  for (const character of value) sum = (sum * 31 + (character.codePointAt(0) ?? 0)) % 900_000;
  return `T${sum + 100_000}`;
}

const nav = (language: Language) => [
  [language === 'zh' ? '首页' : 'Home', '/'] as const,
  ...TEXTS[language].cards.map(([title, , , path]) => [title, path] as const),
];

/** A shop: a table of prices, also as a file, a form with a confirmation of its own, and a form that goes to another host. */
export const SHOP: Site = {
  name: { zh: '山前茶行', en: 'Hillside Tea' },
  tint: '#2f5d46',
  nav: { zh: nav('zh'), en: nav('en') },
  answer: (view) => PAGES[view.path]?.(view) ?? null,
};
