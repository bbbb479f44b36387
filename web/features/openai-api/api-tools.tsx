import { KeyManager } from './key-manager.tsx';
import { RequestBuilder } from './request-builder.tsx';
import { UsagePanel } from './usage-panel.tsx';

/** What somebody signed in does on the API page. */
export function ApiTools({ credits }: { credits: number }) {
  return (
    <>
      <KeyManager />
      <RequestBuilder credits={credits} />
      <UsagePanel />
    </>
  );
}
