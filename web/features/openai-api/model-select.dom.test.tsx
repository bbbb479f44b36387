import { models } from 'virtual:models';
import { afterEach, beforeEach, expect, it } from 'vitest';
import en from '#i18n/en/common.json' with { type: 'json' };
import { all, closePage, draw, openPage } from '#test/dom/page.ts';
import { TranslationProvider } from '#web/lib/i18n.tsx';
import { ModelSelect } from './model-select.tsx';

beforeEach(() => openPage('http://localhost'));
afterEach(closePage);

it('models that answer with pictures, which would be charged and not shown, are not offered', () => {
  draw(
    <TranslationProvider language="en" dictionary={en}>
      <ModelSelect models={models} value="parley-flash" onChange={() => {}} />
    </TranslationProvider>,
  );
  const offered = all<HTMLOptionElement>('option').map(({ value }) => value);
  expect(offered).toContain('parley-flash');
  expect(models.filter(({ pictures }) => pictures).map(({ id }) => id)).toContain('gemini-3.1-flash-image');
  expect(models.filter(({ id, pictures }) => pictures && offered.includes(id))).toEqual([]);
});
