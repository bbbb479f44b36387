import { ensureBubblewrap, ensureChromium } from './setup-chromium.ts';

/** Installs what the browser of Computer Use needs: Chromium and bubblewrap. Says what could not be had. */
export async function setUpWalls(): Promise<void> {
  const chromium = await ensureChromium().catch((error: Error) => {
    console.warn(error.message);
    return null;
  });
  if (!(await ensureBubblewrap()))
    console.warn(
      '没有 bubblewrap，Computer Use 不会驱动浏览器：请安装软件包 bubblewrap。\n' +
        'No bubblewrap, so Computer Use drives no browser: install the package bubblewrap.',
    );
  else if (chromium !== null) console.log(`浏览器已就绪 The browser is ready: ${chromium}`);
}

if (import.meta.main) await setUpWalls();
