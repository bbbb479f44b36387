import { PanelLeft, SquarePen } from 'lucide-react';
import { Link } from 'react-router';
import type { CatalogueModel } from '#contract/catalogue.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { useLocalPath } from '#web/lib/use-language.ts';
import { IconButton } from '#web/ui/icon-button.tsx';
import { ModelMenu } from './model-menu.tsx';
import type { Panel } from './use-panel.ts';

interface ChatBarProps {
  title: string;
  panel: Panel;
  models: readonly CatalogueModel[];
  model: CatalogueModel | undefined;
  onChoose: (id: string) => void;
}

/** The line above a conversation: its title, the model in use, and the ways to other conversations. */
export function ChatBar({ title, panel, models, model, onChoose }: ChatBarProps) {
  const { t } = useTranslation('common');
  const pathTo = useLocalPath();
  return (
    <div className="flex min-h-14 items-center gap-1 border-line border-b px-2 sm:px-4">
      <IconButton
        label={panel.open ? t('chat.conversationsHide') : t('chat.conversationsShow')}
        aria-expanded={panel.open}
        onClick={panel.toggle}
      >
        <PanelLeft aria-hidden size={20} strokeWidth={1.5} />
      </IconButton>
      <h1 dir="auto" className="min-w-0 flex-1 truncate font-medium">
        {title}
      </h1>
      <ModelMenu models={models} model={model} onChoose={onChoose} />
      <Link
        to={pathTo('chat')}
        title={t('chat.newConversation')}
        aria-label={t('chat.newConversation')}
        className="inline-flex size-11 shrink-0 items-center justify-center rounded-control text-soft hover:bg-sunken hover:text-ink"
      >
        <SquarePen aria-hidden size={20} strokeWidth={1.5} />
      </Link>
    </div>
  );
}
