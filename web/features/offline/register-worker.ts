/** Where the build puts it (scripts/build/build-service-worker.ts). */
const WORKER = '/service-worker.js';

/**
 * Has the service worker keep this build of the chat for the time without a network. `onUpdate` is called when one of a later build
 * took over: what is on screen goes on as it is, with its own code, until it is loaded anew. Nobody is called any more once `signal` aborts.
 */
export async function registerWorker(onUpdate: () => void, signal: AbortSignal): Promise<void> {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return;
  const { serviceWorker } = navigator;
  if (serviceWorker.controller)
    serviceWorker.addEventListener('controllerchange', onUpdate, { once: true, signal });
  const registration = await serviceWorker.register(WORKER);
  if (signal.aborted) return;
  window.addEventListener('online', () => void registration.update().catch(() => {}), { signal });
}
