import type { RouteConfigEntry } from '@react-router/dev/routes';
import { expect, it } from 'vitest';
import { shareByPages } from './share-by-pages.ts';

const routes: RouteConfigEntry[] = [
  {
    file: 'frame.tsx',
    children: [{ file: 'home.tsx' }, { file: 'login.tsx' }, { file: 'faq.tsx' }],
  },
  { file: 'chat.tsx' },
];

const imports: Record<string, string[]> = {
  '/web/entry.client.tsx': ['/web/start.tsx', '/web/app.css'],
  '/web/root.tsx': ['/node_modules/react/index.js'],
  '/web/frame.tsx': ['/web/header.tsx'],
  '/web/header.tsx': ['/web/link.tsx'],
  '/web/home.tsx': ['/web/picture.tsx', '/web/form.tsx'],
  '/web/login.tsx': ['/web/form.tsx'],
  '/web/faq.tsx': [],
  '/web/chat.tsx': ['/web/composer.tsx', '/web/link.tsx'],
};

const modules = {
  getModuleInfo: (id: string) => ({
    importedIds: imports[id] ?? [],
    isEntry: id === '/web/entry.client.tsx',
  }),
};

it('names what half of the pages load, through whatever they load it', () => {
  const fileOf = shareByPages('shared', routes, '/web');
  const shared = Object.values(imports)
    .flat()
    .concat(Object.keys(imports))
    .filter((id) => fileOf(id, modules) === 'shared');
  expect([...new Set(shared)].sort()).toEqual([
    '/web/form.tsx',
    '/web/frame.tsx',
    '/web/header.tsx',
    '/web/link.tsx',
    '/web/root.tsx',
    '/web/start.tsx',
  ]);
});
