import type { Locator, Page } from '@playwright/test';
import { long } from './long.ts';
import { journeys, type Say, sayIn } from './texts.ts';
import { expect, PASSWORD, test } from './visitor.ts';

/** The wording of the specification, section 8. */
const GIVEN = {
  mismatch: '密码不匹配',
  tooShort: '密码长度至少为6位',
  taken: '该邮箱已被注册',
  loginFailed: '登录失败，请检查邮箱和密码',
};

interface RegisterForm {
  email: Locator;
  password: Locator;
  confirmation: Locator;
  terms: Locator;
  submit: Locator;
}

function registerForm(page: Page, say: Say): RegisterForm {
  return {
    email: page.getByLabel(say('account.email')),
    password: page.getByLabel(say('account.password'), { exact: true }),
    confirmation: page.getByLabel(say('account.confirmation'), { exact: true }),
    terms: page.getByRole('checkbox'),
    submit: page.getByRole('button', { name: say('account.registerSubmit'), exact: true }),
  };
}

/** The field is marked as wrong and described by the message, which is announced. */
async function expectFault(field: Locator, message: string) {
  await expect(field).toHaveAttribute('aria-invalid', 'true');
  await expect(field).toHaveAccessibleDescription(new RegExp(literal(message)));
  await expect(field.page().getByRole('alert').filter({ hasText: message })).toBeVisible();
}

function literal(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

test('the texts that the specification gives are its very words', () => {
  const say = sayIn('zh');
  expect(say('account.passwordMismatch')).toBe(GIVEN.mismatch);
  expect(say('account.passwordTooShort')).toBe(GIVEN.tooShort);
  expect(say('account.emailTaken')).toBe(GIVEN.taken);
  expect(say('account.loginFailed')).toBe(GIVEN.loginFailed);
  expect(say('errors.insufficient_credits')).toBe(
    'Credits不足，请购买更多Credits或切换低成本模型（需 {{needed}} Credits）',
  );
  expect(say('chat.sendFailed')).toBe('发送消息失败，请重试');
  for (const [key, text] of Object.entries({
    ...{ 'account.passwordWeak': '密码强度不够', 'account.registerFailed': '注册失败，请重试' },
    ...{ 'google.signInFailed': 'Google登录失败，请重试', 'google.signUpFailed': 'Google注册失败，请重试' },
    ...{ 'account.loginBusy': '登录中...', 'account.registerBusy': '注册中...' },
    ...{ 'pricing.checkoutFailed': '创建支付会话失败：{{message}}', 'pricing.signInFirst': '请先登录' },
    ...{ 'subscription.pay': '前往支付', 'account.registerBanner': '新用户获赠 {{freeCredits}} Credits' },
  })) {
    expect(say(key)).toBe(text);
  }
  const inEnglish = sayIn('en');
  expect(inEnglish('credits.insufficient')).toBe('Insufficient credits. Please purchase more to continue.');
  expect(inEnglish('chat.signedOutTitle')).toBe('Please log in');
  expect(inEnglish('chat.signedOutText')).toBe('You need to log in to use AI chat');
  expect(inEnglish('chat.thinking')).toBe('AI is thinking...');
  expect(inEnglish('chat.placeholder')).toBe('Type your question...');
  expect(inEnglish('chat.modelUpgrade')).toBe('Upgrade to use');
  for (const [key, text] of Object.entries({
    ...{ 'pricing.creating': 'Creating...', 'subscription.creatingCheckout': 'Creating checkout...' },
    ...{ 'pricing.checkoutFailed': 'Failed to create checkout: {{message}}' },
    ...{ 'pricing.signInFirst': 'Please sign in first', 'subscription.signIn': 'Sign in to purchase' },
    ...{ 'subscription.pay': 'Proceed to Pay', 'subscription.expired': '{{plan}} (Expired)' },
    ...{ 'subscription.popular': 'Popular', 'subscription.standard': 'Standard' },
    ...{ 'home.startChat': 'Start Chat', 'home.signUpFree': 'Sign Up Free', 'home.logInNow': 'Log In Now' },
    ...{ 'chat.modelComingSoon': 'Coming soon', 'nav.news': 'Blog/News' },
  })) {
    expect(inEnglish(key)).toBe(text);
  }
});

for (const { language, title } of journeys(
  'registering names every mistake at its field and keeps what was typed',
)) {
  test(title, long('its rules have tests without a browser'), async ({ visitor }) => {
    const { page, say, email } = visitor(language);
    await page.goto(`/${language}/register`);
    const form = registerForm(page, say);
    await form.submit.click();
    await expectFault(form.email, say('account.emailMissing'));
    await expectFault(form.password, say('account.passwordTooShort'));
    await expectFault(form.terms, say('account.termsMissing'));

    await form.email.fill('not an address');
    await form.password.fill('12345');
    await form.confirmation.fill('123456');
    await form.submit.click();
    await expectFault(form.email, say('account.emailInvalid'));
    await expectFault(form.password, say('account.passwordTooShort'));
    await expectFault(form.confirmation, say('account.passwordMismatch'));
    await expect(form.email).toHaveValue('not an address');

    await form.email.fill(email);
    await form.password.fill(PASSWORD);
    await form.confirmation.fill(`${PASSWORD}!`);
    await form.submit.click();
    await expectFault(form.confirmation, say('account.passwordMismatch'));
    await expect(form.password).not.toHaveAttribute('aria-invalid');
    await expectFault(form.terms, say('account.termsMissing'));
    await expect(page).toHaveURL(`/${language}/register`);
  });
}

for (const { language, title } of journeys('an address that has an account cannot be registered again')) {
  test(title, long('its rules have tests on the server'), async ({ visitor, browser }) => {
    const known = visitor(language);
    await known.signUp();
    const { page } = await known.elsewhere(browser);
    await page.goto(`/${language}/register`);
    const form = registerForm(page, known.say);
    await form.email.fill(known.email.toUpperCase());
    await form.password.fill(PASSWORD);
    await form.confirmation.fill(PASSWORD);
    await form.terms.check();
    await form.submit.click();
    await expectFault(form.email, known.say('account.emailTaken'));
    await page.context().close();
  });
}

for (const { language, title } of journeys(
  'a login that fails says so without saying which half was wrong',
)) {
  test(title, async ({ visitor, browser }) => {
    const known = visitor(language);
    await known.signUp();
    const { page } = await known.elsewhere(browser);
    const { say } = known;
    await page.goto(`/${language}/login`);
    const email = page.getByLabel(say('account.email'));
    const password = page.getByLabel(say('account.password'), { exact: true });
    const submit = page
      .getByRole('main')
      .getByRole('button', { name: say('account.loginSubmit'), exact: true });
    await submit.click();
    await expectFault(email, say('account.emailMissing'));
    await expectFault(password, say('account.passwordMissing'));
    for (const address of [known.email, `nobody-${known.email}`]) {
      await email.fill(address);
      await password.fill('wrong password');
      await submit.click();
      await expect(page.getByRole('alert')).toHaveText(say('account.loginFailed'));
    }
    const faults = { internal: 'account.loginBroken', rate_limited: 'account.rateLimited' } as const;
    for (const [code, text] of Object.entries(faults)) {
      const answer = {
        status: code === 'internal' ? 500 : 429,
        json: { error: { code, message: '', params: {} } },
      };
      await page.route('**/api/auth/sign-in/email', (route) => route.fulfill(answer), { times: 1 });
      await submit.click();
      await expect(page.getByRole('alert')).toHaveText(say(text));
    }
    await page.route('**/api/auth/sign-in/email', (route) => route.abort(), { times: 1 });
    await submit.click();
    await expect(page.getByRole('alert')).toHaveText(say('account.unreachable'));
    await email.fill(known.email);
    await password.fill(PASSWORD);
    await submit.click();
    await expect(page).toHaveURL(`/${language}/chat`);
    await page.context().close();
  });
}

for (const { language, title } of journeys('while a form is on its way, every other way in rests')) {
  test(title, long('a detail of the page that seldom breaks'), async ({ visitor }) => {
    const me = visitor(language);
    const { page, say } = me;
    let answer = () => {};
    const held = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route('**/api/auth/sign-in/email', async (route) => {
      await held;
      await route.continue();
    });
    await page.goto(`/${language}/login`);
    const others = page
      .getByRole('main')
      .getByRole('button')
      .filter({ hasText: new RegExp(`Google|${say('account.loginPasskey')}`) });
    await expect(others).toHaveCount(2);
    for (const one of await others.all()) await expect(one).toBeEnabled();
    await page.getByLabel(say('account.email')).fill(me.email);
    await page.getByLabel(say('account.password'), { exact: true }).fill(PASSWORD);
    await page.getByRole('button', { name: say('account.loginSubmit'), exact: true }).click();
    for (const one of await others.all()) await expect(one).toBeDisabled();
    answer();
    await expect(me.alerts.filter({ hasText: say('account.loginFailed') })).toBeVisible();
    for (const one of await others.all()) await expect(one).toBeEnabled();
  });
}

for (const { language, title } of journeys('while a registration is on its way, Google’s button rests too')) {
  test(title, long('a detail of the page that seldom breaks'), async ({ visitor }) => {
    const me = visitor(language);
    const { page, say } = me;
    const held = Promise.withResolvers<void>();
    await page.route('**/api/auth/sign-up/email', async (route) => {
      await held.promise;
      await route.fulfill({ status: 500, json: { error: { code: 'internal', message: '', params: {} } } });
    });
    await page.goto(`/${language}/register`);
    const form = registerForm(page, say);
    const google = page.getByRole('main').getByRole('button', { name: say('google.goOn') });
    await expect(google).toBeEnabled();
    await form.email.fill(me.email);
    await form.password.fill(PASSWORD);
    await form.confirmation.fill(PASSWORD);
    await form.terms.check();
    await form.submit.click();
    await expect(page.getByRole('button', { name: say('account.registerBusy') })).toBeDisabled();
    await expect(google).toBeDisabled();
    held.resolve();
    await expect(me.alerts.filter({ hasText: say('account.registerFailed') })).toBeVisible();
    await expect(google).toBeEnabled();
  });
}
