const TIMEOUT_MS = 5_000;

/** Posts JSON to an address that the operator set. Throws unless it answers 2xx within five seconds. */
export async function callWebhook(url: string, body: unknown): Promise<void> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    redirect: 'manual',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  await response.body?.cancel();
  if (!response.ok) throw new Error(`the operator's webhook answered ${response.status}`);
}
