import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ApiKey } from '#contract/keys.ts';
import { callApi } from '#web/lib/api.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { Button } from '#web/ui/button.tsx';
import { FieldError } from '#web/ui/field-error.tsx';
import { showNotice } from '#web/ui/toast-store.ts';
import { faultText } from './fault-text.ts';
import { keysQuery } from './keys-query.ts';

/** Asks whether a key is to be revoked, and revokes it. */
export function RevokeKey({ revoked, onClose }: { revoked: ApiKey; onClose: () => void }) {
  const { t } = useTranslation('common');
  const client = useQueryClient();
  const revoke = useMutation({
    mutationFn: () => callApi(`/api/keys/${revoked.id}`, { method: 'DELETE' }),
    onSuccess: () => {
      showNotice(t('keys.revoked', { name: revoked.name }));
      onClose();
    },
    onSettled: () => client.invalidateQueries({ queryKey: keysQuery.queryKey }),
  });
  return (
    <>
      <p className="mb-5">{t('keys.revokeText', { name: revoked.name })}</p>
      <FieldError>{revoke.isError ? faultText(t, revoke.error) : null}</FieldError>
      <div className="flex justify-end gap-3">
        <Button variant="secondary" onClick={onClose}>
          {t('keys.keep')}
        </Button>
        <Button variant="danger" busy={revoke.isPending} onClick={() => revoke.mutate()}>
          {t('keys.revoke')}
        </Button>
      </div>
    </>
  );
}
