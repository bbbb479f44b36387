import { join } from 'node:path';
import type { Config } from '@react-router/dev/config';
import { BEFORE_PAINT } from '#web/lib/before-paint.ts';
import { ORIGIN_PLACEHOLDER, PUBLIC_PAGES, prerenderedPaths } from '#web/lib/pages.ts';
import { buildConsole } from './scripts/build/build-console.ts';
import { buildSandbox } from './scripts/build/build-sandbox.ts';
import { buildServiceWorker } from './scripts/build/build-service-worker.ts';
import { compressAssets } from './scripts/build/compress-assets.ts';
import { finishSite } from './scripts/site/finish-site.ts';
import { readNews } from './scripts/site/read-news.ts';
import { readSite } from './scripts/site/site.ts';

const { zh: news } = readNews(readSite(process.env));

export default {
  appDirectory: 'web',
  ssr: false,
  prerender: prerenderedPaths(news.map(({ slug }) => slug)),
  buildEnd: async ({ reactRouterConfig }) => {
    const folder = join(reactRouterConfig.buildDirectory, 'client');
    await finishSite(process.env, { folder, pages: PUBLIC_PAGES, origin: ORIGIN_PLACEHOLDER });
    await buildServiceWorker(folder);
    await compressAssets(join(folder, 'assets'));
    await buildSandbox(folder);
    await buildConsole(folder, BEFORE_PAINT);
  },
} satisfies Config;
