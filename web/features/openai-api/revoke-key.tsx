import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ApiKey } from '#contract/keys.ts';
import { deleteAt } from '#web/lib/api.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { QuestionDialog } from '#web/ui/dialog.tsx';
import { showNotice } from '#web/ui/toast-store.ts';
import { faultText } from './fault-text.ts';
import { keysQuery } from './keys-query.ts';

/** Asks whether a key is to be revoked, and revokes it; null: closed. */
export function RevokeKey({ revoked, onClose }: { revoked: ApiKey | null; onClose: () => void }) {
  const { t } = useTranslation('common');
  const client = useQueryClient();
  const revoke = useMutation({
    mutationFn: ({ id }: ApiKey) => deleteAt(`/api/keys/${id}`),
    onSuccess: (_, { name }) => {
      showNotice(t('keys.revoked', { name }));
      onClose();
    },
    onSettled: () => client.invalidateQueries({ queryKey: keysQuery.queryKey }),
  });
  const close = () => {
    revoke.reset();
    onClose();
  };
  return (
    <QuestionDialog
      open={revoked !== null}
      onClose={close}
      title={t('keys.revokeTitle')}
      text={t('keys.revokeText', { name: revoked?.name ?? '' })}
      problem={revoke.isError ? faultText(t, revoke.error) : null}
      keep={t('keys.keep')}
      act={t('keys.revoke')}
      busy={revoke.isPending}
      onAct={() => revoked && revoke.mutate(revoked)}
    />
  );
}
