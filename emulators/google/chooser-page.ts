import type { ServerResponse } from 'node:http';
import { answerPage, escapeHtml, type Language } from '../payments/page.ts';
import { PEOPLE, type Person } from './people.ts';

const TEXTS = {
  zh: {
    title: '选择账号',
    note: '这是 Google 登录的模拟页面，没有真的连接 Google。设置 GOOGLE_CLIENT_ID 后会使用真正的 Google。',
    unverified: '邮箱未验证',
    hosted: '邮箱由 Google 提供',
    elsewhere: '邮箱不由 Google 提供',
    other: '其他账号',
    email: '邮箱',
    name: '姓名',
    verified: '邮箱已验证',
    go: '继续',
    cancel: '取消',
  },
  en: {
    title: 'Choose an account',
    note: 'This is an emulation of signing in with Google; Google itself is not contacted. Set GOOGLE_CLIENT_ID to use the real one.',
    unverified: 'Email not verified',
    hosted: 'Mailbox hosted by Google',
    elsewhere: 'Mailbox not hosted by Google',
    other: 'Another account',
    email: 'Email',
    name: 'Name',
    verified: 'Email verified',
    go: 'Continue',
    cancel: 'Cancel',
  },
};

/** Who is signing in: the people of this emulator, another person by address, or no one. */
export function answerChooser(response: ServerResponse, language: Language) {
  const text = TEXTS[language];
  const buttons = PEOPLE.map((person) => personButton(person, text)).join('');
  answerPage(
    response,
    200,
    language,
    text.title,
    `<h1>${text.title}</h1><p class="note">${text.note}</p>
<form method="post">${buttons}</form>
<form method="post" class="card"><h2>${text.other}</h2>
<label>${text.email}<input name="email" type="email" required maxlength="254" autocomplete="off"></label>
<label>${text.name}<input name="name" maxlength="100" autocomplete="off"></label>
<label><select name="verified" aria-label="${text.verified}"><option value="true">${text.verified}</option><option value="false">${text.unverified}</option></select></label>
<label><select name="mailbox" aria-label="${text.hosted}"><option value="google">${text.hosted}</option><option value="elsewhere">${text.elsewhere}</option></select></label>
<button class="main" name="act" value="enter">${text.go}</button></form>
<form method="post"><button name="act" value="cancel">${text.cancel}</button></form>`,
  );
}

function personButton(
  { sub, name, email, email_verified, hd }: Person,
  text: { unverified: string; elsewhere: string },
): string {
  const remark = email_verified ? (hd ? '' : ` · ${text.elsewhere}`) : ` · ${text.unverified}`;
  return `<button name="sub" value="${sub}">${escapeHtml(name)}<br><small>${escapeHtml(email)}${remark}</small></button>`;
}
