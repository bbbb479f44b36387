/** Fetches the list of the messages that wait: with the first answer, since nothing waits without one. */
export const loadQueuedList = () => import('./queued-list.tsx');
