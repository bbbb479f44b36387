import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from '@playwright/test';
import { expect, it } from 'vitest';
import { IS_LONG } from '#test/runs.ts';
import { CHROMIUM_FLAGS } from './suite/chromium-flags.ts';
import { unpackChromium } from './unpack-chromium.ts';

// It fetches a package of 70 MB.
it.runIf(IS_LONG)(
  'a Chromium from npm draws a page as journeys have it drawn',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'parley-unpacked-'));
    try {
      const executablePath = await unpackChromium(folder);
      const browser = await chromium.launch({ executablePath, args: CHROMIUM_FLAGS });
      const page = await browser.newPage();
      await page.goto('data:text/html;charset=utf-8,<title>对谈</title>');
      expect(await page.title()).toBe('对谈');
      expect((await page.screenshot()).length).toBeGreaterThan(0);
      await browser.close();
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
  300_000,
);
