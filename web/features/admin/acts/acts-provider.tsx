import { createContext, type ReactNode, useContext, useEffect, useState } from 'react';
import type { Confirmed } from '#web/features/accounts/confirmation/confirmation-dismissed.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { Button } from '#web/ui/button.tsx';
import { ActDialog } from './act-dialog.tsx';
import {
  type About,
  type ActDraft,
  closeDraft,
  keepDrafts,
  type OfferedAct,
  openDraft,
  readDrafts,
} from './act-draft.ts';

interface Acts {
  begin(act: OfferedAct, about: About): void;
  /** Runs what needs a fresh proof that it is the operator. */
  confirmed: Confirmed;
}

const ActsContext = createContext<Acts | null>(null);

/** Opens the dialog of an act, and opens it again as it was when the page is loaded again. */
export function ActsProvider({ confirmed, children }: { confirmed: Confirmed; children: ReactNode }) {
  const [drafts, setDrafts] = useState(readDrafts);
  useEffect(() => keepDrafts(drafts), [drafts]);
  const { open } = drafts;
  const begin = (act: OfferedAct, about: About) => setDrafts((current) => openDraft(current, act, about));
  const edit = (part: Partial<ActDraft>) =>
    setDrafts((current) => ({ ...current, open: current.open && { ...current.open, ...part } }));
  const close = (isDone: boolean) => setDrafts((current) => closeDraft(current, isDone));
  return (
    <ActsContext value={{ begin, confirmed }}>
      {children}
      {open ? (
        <ActDialog key={open.id} draft={open} onChange={edit} onClose={close} confirmed={confirmed} />
      ) : null}
    </ActsContext>
  );
}

/** The acts of the console around. */
export function useActs(): Acts {
  const acts = useContext(ActsContext);
  if (!acts) throw new Error('useActs needs an ActsProvider above it');
  return acts;
}

interface ActButtonProps {
  act: OfferedAct;
  about: About;
  /** Names it beside others of its kind, for those who do not see its row. */
  label?: string;
}

/** Opens the dialog of an act. */
export function ActButton({ act, about, label }: ActButtonProps) {
  const { t } = useTranslation('admin');
  const { begin } = useActs();
  return (
    <Button variant="secondary" size="small" aria-label={label} onClick={() => begin(act, about)}>
      {t(`admin.act.${act.act}.button`, 'from' in act ? { day: act.from.slice(5) } : {})}
    </Button>
  );
}
