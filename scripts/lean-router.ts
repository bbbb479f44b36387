import type { Plugin } from 'vite';

const MODULE = /\/react-router\/dist\/production\/lib\/router\/instrumentation\.js$/;
/** What the module gives away, all of it for `instrumentations` that nobody hands to our router. */
const EXPORTS =
  /export \{ consumeInstrumentationClientResultMetaReceiver, getRouteInstrumentationUpdates, instrumentClientSideRouter, instrumentHandler, instrumentationResultMetaContext \};/;
const EMPTY = `
export const consumeInstrumentationClientResultMetaReceiver = () => undefined;
export const getRouteInstrumentationUpdates = () => ({});
export const instrumentClientSideRouter = (router) => router;
export const instrumentHandler = (handler) => handler;
export const instrumentationResultMetaContext = {};
`;

/**
 * Leaves the router's hooks for measuring tools out of what browsers load: 1.5 kB of every first visit that do nothing here.
 * Fails the build when the module is not the one that was read for this.
 */
export function leanRouter(): Plugin {
  return {
    name: 'lean-router',
    apply: 'build',
    applyToEnvironment: ({ name }) => name === 'client',
    transform: {
      filter: { id: MODULE },
      handler(code) {
        if (!EXPORTS.test(code))
          throw new Error('react-router gives other instrumentation away than lean-router.ts knows');
        return { code: EMPTY, map: null };
      },
    },
  };
}
