import { escapeHtml } from '../payments/page.ts';
import type { Site, SitePage, View } from './site-page.ts';

interface Letter {
  id: string;
  from: string;
  subject: string;
  time: string;
  text: string[];
}

const LETTERS: Record<'zh' | 'en', readonly Letter[]> = {
  zh: [
    {
      id: 'library',
      from: '市图书馆',
      subject: '你预约的书到了',
      time: '09:20',
      text: [
        '你预约的《茶经述评》已到馆，请在 12 月 5 日前到二楼服务台领取。',
        '取书时请带借书证，过期后这本书会留给下一位读者。',
      ],
    },
    {
      id: 'landlord',
      from: '周先生',
      subject: '周四上门检修暖气',
      time: '昨天',
      text: ['师傅周四上午十点到，大约一小时，家里留一个人就行。'],
    },
    {
      id: 'choir',
      from: '社区合唱团',
      subject: '本周排练改到周日',
      time: '周一',
      text: ['场地周六有活动，排练改到周日下午两点，地点不变。'],
    },
  ],
  en: [
    {
      id: 'library',
      from: 'City Library',
      subject: 'Your reserved book has arrived',
      time: '09:20',
      text: [
        'The book you reserved, “The Classic of Tea”, is ready. Please collect it at the desk on the second floor by 5 December.',
        'Bring your library card. After that day the book goes to the next reader.',
      ],
    },
    {
      id: 'landlord',
      from: 'Mr. Zhou',
      subject: 'Heating check on Thursday',
      time: 'Yesterday',
      text: [
        'The technician comes on Thursday at ten and needs about an hour. One of you should be at home.',
      ],
    },
    {
      id: 'choir',
      from: 'Community choir',
      subject: 'Rehearsal moved to Sunday',
      time: 'Monday',
      text: ['The hall is taken on Saturday, so we rehearse on Sunday at two. Same place.'],
    },
  ],
};

const TITLE = { zh: '收件箱', en: 'Inbox' };

function drawList({ language, link }: View): SitePage {
  const rows = LETTERS[language].map(
    ({ id, from, subject, time }) =>
      `<tr><td>${from}</td><td><a href="${link(`/letters/${id}`)}">${subject}</a></td><td class="num">${time}</td></tr>`,
  );
  return {
    title: TITLE[language],
    body: `<h1>${TITLE[language]}</h1><table><tbody>${rows.join('')}</tbody></table>`,
  };
}

function drawLetter({ language, link }: View, letter: Letter): SitePage {
  const back = language === 'zh' ? '返回收件箱' : 'Back to the inbox';
  const text = letter.text.map((line) => `<p>${escapeHtml(line)}</p>`).join('');
  const body = `<p><a href="${link('/')}">${back}</a></p><h1>${letter.subject}</h1><p class="quiet">${letter.from} · ${letter.time}</p><div class="card">${text}</div>`;
  return { title: letter.subject, body };
}

/** A mailbox with three letters. */
export const MAILBOX: Site = {
  name: { zh: '河口邮箱', en: 'Estuary Mail' },
  tint: '#6b3f2a',
  nav: { zh: [['收件箱', '/']], en: [['Inbox', '/']] },
  answer(view) {
    if (view.path === '/') return drawList(view);
    const id = /^\/letters\/(.+)$/.exec(view.path)?.[1];
    const letter = LETTERS[view.language].find((each) => each.id === id);
    return letter ? drawLetter(view, letter) : null;
  },
};
