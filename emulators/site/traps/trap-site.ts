import type { Site } from '../site-page.ts';
import { TRAP_PAGES } from './traps.ts';

/** Pages that try to lead a model astray, for the tests: every other host is forbidden ground for them. */
export const TRAPS: Site = {
  name: { zh: '陷阱', en: 'Traps' },
  tint: '#5b2b2b',
  nav: { zh: [], en: [] },
  answer(view) {
    if (view.path === '/quiet') return { title: 'Quiet', body: '<p>Nothing here.</p>' };
    const trap = TRAP_PAGES.find(({ name }) => view.path === `/${name}`);
    return trap ? { title: trap.name, body: `<h1>${trap.name}</h1>${trap.body(view)}` } : null;
  },
};
