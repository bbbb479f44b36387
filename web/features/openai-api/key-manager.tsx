import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ApiKey, CreatedKey } from '#contract/keys.ts';
import { MAX_KEYS } from '#contract/limits.ts';
import type { Confirmed } from '#web/features/accounts/confirmation/confirmation-dismissed.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { Button, Spinner } from '#web/ui/button.tsx';
import { Dialog, DialogActions } from '#web/ui/dialog.tsx';
import { FieldError } from '#web/ui/field-error.tsx';
import { CopyButton } from './copy-button.tsx';
import { faultText } from './fault-text.ts';
import { KeyForm } from './key-form.tsx';
import { KeyTable } from './key-table.tsx';
import { keysQuery } from './keys-query.ts';
import { RevokeKey } from './revoke-key.tsx';

interface KeyManagerProps {
  /** As `useConfirmation` gives it. */
  confirmed: Confirmed;
  /** It is a part of the account, whose headings are smaller than those of a public page. */
  isPart?: boolean;
}

/** The reader's keys: makes, changes and revokes them. */
export function KeyManager({ confirmed, isPart = false }: KeyManagerProps) {
  const { t } = useTranslation('common');
  const query = useQuery(keysQuery);
  const [edited, setEdited] = useState<ApiKey | 'new' | null>(null);
  const [made, setMade] = useState<CreatedKey | null>(null);
  const [revoked, setRevoked] = useState<ApiKey | null>(null);
  const keys = query.data;
  const close = () => setEdited(null);
  return (
    <section aria-labelledby="keys" className={isPart ? 'mb-8' : 'mb-16'}>
      <div className="mb-4 flex flex-wrap items-end justify-between gap-4">
        <div>
          <h2 id="keys" className={isPart ? 'mb-1 font-semibold text-lg' : 'headline mb-2 text-3xl'}>
            {t('keys.title')}
          </h2>
          <p className="max-w-prose text-soft">{t('keys.lead')}</p>
        </div>
        <Button onClick={() => setEdited('new')} disabled={(keys?.length ?? 0) >= MAX_KEYS}>
          {t('keys.create')}
        </Button>
      </div>
      {query.isPending ? <Spinner /> : null}
      {query.isError ? <FieldError>{faultText(t, query.error)}</FieldError> : null}
      {keys?.length === 0 ? <p className="text-soft">{t('keys.none')}</p> : null}
      {keys && keys.length > 0 ? <KeyTable keys={keys} onEdit={setEdited} onRevoke={setRevoked} /> : null}
      <Dialog
        open={edited !== null}
        onClose={close}
        title={t(edited === 'new' ? 'keys.createTitle' : 'keys.editTitle')}
      >
        <KeyForm
          confirmed={confirmed}
          edited={edited === 'new' ? null : edited}
          onCancel={close}
          onDone={(created) => {
            close();
            setMade(created);
          }}
        />
      </Dialog>
      <Dialog stays open={made !== null} onClose={() => setMade(null)} title={t('keys.madeTitle')}>
        {made ? <MadeKey made={made} onClose={() => setMade(null)} /> : null}
      </Dialog>
      <RevokeKey revoked={revoked} onClose={() => setRevoked(null)} />
    </section>
  );
}

/** The only time the key is seen. */
function MadeKey({ made, onClose }: { made: CreatedKey; onClose: () => void }) {
  const { t } = useTranslation('common');
  const [hasFailed, setFailed] = useState(false);
  return (
    <>
      <p className="mb-3">{t('keys.madeText')}</p>
      <div className="flex flex-col gap-2">
        <div className="flex items-center gap-2 rounded-control bg-sunken py-2 pr-2 pl-3">
          <code className="min-w-0 flex-1 break-all font-mono text-sm">{made.key}</code>
          <CopyButton text={made.key} label={t('keys.copy')} onRefused={() => setFailed(true)} />
        </div>
        <FieldError>{hasFailed ? t('chat.copyFailed') : null}</FieldError>
      </div>
      <DialogActions>
        <Button onClick={onClose}>{t('keys.madeDone')}</Button>
      </DialogActions>
    </>
  );
}
