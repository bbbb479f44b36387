import type { Plugin } from 'vite';
import { loadStaticFiles, type StaticFiles, sendStaticFile } from '#server/platform/http/static-files.ts';
import { buildSandbox } from './build-sandbox.ts';

/** Where Vite does not watch. */
const FOLDER = 'node_modules/.cache/parley';

/** While developing, builds the sandboxed documents when one is first asked for and serves them as the product does. */
export function serveSandbox(): Plugin {
  let built: Promise<StaticFiles> | undefined;
  const build = async () => {
    await buildSandbox(FOLDER);
    return loadStaticFiles(FOLDER, '', ' ');
  };
  return {
    name: 'parley:serve-sandbox',
    apply: 'serve',
    configureServer: ({ middlewares }) => {
      middlewares.use(async (request, response, next) => {
        const { pathname } = new URL(request.url ?? '/', 'http://localhost');
        if (!pathname.startsWith('/sandbox/')) return next();
        built ??= build();
        const file = (await built).find(pathname);
        if (!file) return next();
        const answer = await sendStaticFile(file, new Request(`http://localhost${pathname}`));
        response.writeHead(answer.status, Object.fromEntries(answer.headers));
        response.end(Buffer.from(await answer.arrayBuffer()));
      });
    },
  };
}
