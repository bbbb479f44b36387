import { CircleAlert, CircleCheck, X } from 'lucide-react';
import { useSyncExternalStore } from 'react';
import { useTranslation } from '#web/lib/i18n.tsx';
import { Button } from './button.tsx';
import { classNames } from './class-names.ts';
import { IconButton } from './icon-button.tsx';
import {
  currentToasts,
  dismissToast,
  holdToast,
  releaseToast,
  subscribeToasts,
  type Toast,
} from './toast-store.ts';

const NONE: readonly Toast[] = [];

/** Where toasts appear; one in the document. */
export function ToastRegion() {
  const { t } = useTranslation('common');
  const toasts = useSyncExternalStore(subscribeToasts, currentToasts, () => NONE);
  return (
    <section
      aria-label={t('dialog.notices')}
      className="pointer-events-none fixed inset-x-0 top-20 z-50 flex flex-col items-center gap-2 px-4 print:hidden"
    >
      {toasts.map((toast) => (
        <ToastCard key={toast.id} toast={toast} />
      ))}
    </section>
  );
}

function ToastCard({ toast }: { toast: Toast }) {
  const { t } = useTranslation('common');
  const isAlert = toast.kind === 'alert';
  const Icon = isAlert ? CircleAlert : CircleCheck;
  const { action } = toast;
  const act = () => {
    dismissToast(toast.id);
    action?.run();
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it is only kept on screen by that.
    <div
      onPointerEnter={() => holdToast(toast.id)}
      onPointerLeave={({ currentTarget }) => {
        if (!currentTarget.contains(document.activeElement)) releaseToast(toast.id);
      }}
      onFocus={() => holdToast(toast.id)}
      onBlur={({ currentTarget }) => {
        if (!currentTarget.matches(':hover')) releaseToast(toast.id);
      }}
      className="arrives pointer-events-auto flex w-fit max-w-[min(32rem,100%)] items-start gap-3 rounded-card border border-line bg-raised py-1.5 pr-1.5 pl-4 shadow-float"
    >
      <Icon
        aria-hidden
        size={20}
        strokeWidth={1.5}
        className={classNames('mt-2.5 shrink-0', isAlert ? 'text-danger' : 'text-success')}
      />
      <p role={isAlert ? 'alert' : 'status'} className="py-2">
        {toast.text}
      </p>
      {action ? (
        <Button
          variant="quiet"
          size="small"
          onClick={act}
          className="mt-1 shrink-0 underline underline-offset-4"
        >
          {action.label}
        </Button>
      ) : null}
      <IconButton label={t('dialog.close')} onClick={() => dismissToast(toast.id)}>
        <X aria-hidden size={18} strokeWidth={1.5} />
      </IconButton>
    </div>
  );
}
