import { join } from 'node:path';
import type { Config } from '@react-router/dev/config';
import { prerenderedPaths } from '#web/lib/pages.ts';
import { compressAssets } from './scripts/compress-assets.ts';

export default {
  appDirectory: 'web',
  ssr: false,
  prerender: prerenderedPaths(),
  buildEnd: ({ reactRouterConfig }) =>
    compressAssets(join(reactRouterConfig.buildDirectory, 'client/assets')),
} satisfies Config;
