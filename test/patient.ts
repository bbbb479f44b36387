/** For `vi.waitFor`: what is waited for has come as a rule; a busy machine may take longer than the second that is the default. */
export const PATIENT = { timeout: 10_000 };
