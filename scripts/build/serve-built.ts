import type { Plugin } from 'vite';
import { loadStaticFiles, type StaticFiles, sendStaticFile } from '#server/platform/http/static-files.ts';
import { buildConsole } from './build-console.ts';
import { buildSandbox } from './build-sandbox.ts';

/** Where Vite does not watch. */
const FOLDER = 'node_modules/.cache/parley';
const CONSOLE = '/admin';
/** Stands in no file: these documents do not name the origin. */
const NO_PLACEHOLDER = '\0';

/** While developing, builds the sandboxed documents when one is first asked for and serves them as the product does. */
export function serveSandbox(): Plugin {
  let built: Promise<StaticFiles> | undefined;
  return serveBuilt('parley:serve-sandbox', /^\/sandbox\//, async (path) => {
    built ??= buildFiles(buildSandbox);
    return (await built).find(path);
  });
}

/** While developing, builds the operator's console anew for each of its pages that is opened. `script` as of `buildConsole`. */
export function serveConsole(script: string): Plugin {
  let built: Promise<StaticFiles> | undefined;
  return serveBuilt('parley:serve-console', /^\/admin(\/|$)/, async (path) => {
    if (path.startsWith('/admin/assets/')) return (await built)?.find(path) ?? null;
    built = buildFiles((folder) => buildConsole(folder, script));
    return (await built).find(CONSOLE);
  });
}

async function buildFiles(build: (folder: string) => Promise<void>): Promise<StaticFiles> {
  await build(FOLDER);
  return loadStaticFiles(FOLDER, '', NO_PLACEHOLDER);
}

function serveBuilt(
  name: string,
  paths: RegExp,
  find: (path: string) => Promise<ReturnType<StaticFiles['find']>>,
): Plugin {
  return {
    name,
    apply: 'serve',
    configureServer: ({ middlewares }) => {
      middlewares.use(async (request, response, next) => {
        const { pathname } = new URL(request.url ?? '/', 'http://localhost');
        const file = paths.test(pathname) ? await find(pathname) : null;
        if (!file) return next();
        const answer = await sendStaticFile(file, new Request(`http://localhost${pathname}`));
        response.writeHead(answer.status, Object.fromEntries(answer.headers));
        response.end(Buffer.from(await answer.arrayBuffer()));
      });
    },
  };
}
