/**
 * How Chromium is started for journeys. Without a graphics processor, drawing as if there were one, and in a process of its own, costs a
 * sixth of the time.
 */
export const CHROMIUM_FLAGS = [
  '--no-sandbox',
  '--disable-dev-shm-usage',
  '--disable-gpu',
  '--in-process-gpu',
];
