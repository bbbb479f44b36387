import { useConfirmation } from '#web/features/accounts/confirmation/use-confirmation.tsx';
import { KeyManager } from '#web/features/openai-api/key-manager.tsx';
import { RequestBuilder } from '#web/features/openai-api/request-builder.tsx';
import { UsagePanel } from '#web/features/openai-api/usage-panel.tsx';

/** What a signed-in user does on the API page. */
export function ApiTools({ credits }: { credits: number }) {
  const { confirmed, dialog } = useConfirmation();
  return (
    <>
      <KeyManager confirmed={confirmed} />
      <RequestBuilder credits={credits} />
      <UsagePanel />
      {dialog}
    </>
  );
}
