import { escapeHtml } from '../payments/page.ts';
import type { Site } from './site-page.ts';

const TEXTS = {
  zh: { title: '代发邮件服务', about: '我们替商家寄送来信。', done: '订阅成功', to: '来信会寄到' },
  en: {
    title: 'Letters, delivered',
    about: 'We send letters for shops.',
    done: 'You are subscribed',
    to: 'The letter goes to',
  },
};

/** What the shop’s other form is sent to: a host of its own. */
export const PARTNER: Site = {
  name: { zh: '信使', en: 'Courier' },
  tint: '#4a3f6b',
  nav: { zh: [], en: [] },
  answer({ language, path, form }) {
    const text = TEXTS[language];
    if (path === '/subscribe' && form) {
      const email = escapeHtml(form.get('email') ?? '');
      return { title: text.done, body: `<h1>${text.done}</h1><p>${text.to} ${email}</p>` };
    }
    return path === '/' ? { title: text.title, body: `<h1>${text.title}</h1><p>${text.about}</p>` } : null;
  },
};
