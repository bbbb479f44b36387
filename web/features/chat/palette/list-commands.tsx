import {
  Archive,
  ArchiveRestore,
  Cpu,
  FileDown,
  Globe,
  Keyboard,
  Link2,
  LogOut,
  type LucideIcon,
  MessageCircleDashed,
  PanelLeft,
  Paperclip,
  Pencil,
  Pin,
  PinOff,
  SquarePen,
  SunMoon,
  Trash2,
} from 'lucide-react';
import type { CatalogueModel } from '#contract/catalogue.ts';
import type { Conversation } from '#contract/chat.ts';
import { type Language, OTHER_LANGUAGE } from '#contract/choices.ts';
import { pathInLanguage } from '#web/lib/language.ts';
import { ACCOUNT_PAGES, FOOTER_PAGES, type LanguagePage, NAV_PAGES, navKey } from '#web/lib/pages.ts';
import { THEMES, type Theme } from '#web/lib/theme.ts';
import type { Translate } from '#web/lib/translate.ts';
import type { ConversationActions } from '../list/use-conversation-actions.ts';
import type { Conversations } from '../list/use-conversations.ts';
import type { Panel } from '../list/use-panel.ts';
import { keysOf, type Shortcut } from '../shortcuts/shortcuts.ts';
import { CommandRow } from './command-row.tsx';
import type { Command } from './option.ts';

/** What the palette can do with what is on screen. */
export interface PaletteScreen {
  id: string;
  list: Conversations;
  conversation: Conversation | undefined;
  actions: ConversationActions;
  panel: Panel;
  choice: { models: readonly CatalogueModel[]; model: CatalogueModel | undefined; choose(id: string): void };
  temporary: { toggle: (() => void) | null };
  rename(renaming: boolean): void;
  showHelp(): void;
  /** Shows the files of the conversation on screen. */
  showFiles(): void;
}

interface Surroundings {
  screen: PaletteScreen;
  t: Translate;
  language: Language;
  pathTo: (page: LanguagePage) => string;
  location: { pathname: string; search: string; hash: string };
  chooseTheme: (theme: Theme) => void;
  signOut: () => Promise<void>;
}

interface Entry {
  icon: LucideIcon;
  label: string;
  /** Other words that it is found by. */
  also?: string;
  shortcut?: Shortcut;
  hint?: string;
}

type Act = { to: string } | { run: () => void };

/** Every command, in groups: for the chat, for the conversation on screen, models, looks, pages. */
export function listCommands(around: Surroundings): { label: string; options: Command[] }[] {
  const { t } = around;
  return [
    { label: t('palette.actions'), options: chatCommands(around) },
    { label: t('palette.current'), options: conversationCommands(around) },
    { label: t('chat.model'), options: modelCommands(around) },
    { label: t('theme.label'), options: lookCommands(around) },
    { label: t('palette.pages'), options: pageCommands(around) },
  ];
}

function command({ icon, label, also = '', shortcut, hint }: Entry, act: Act): Command {
  const keys = shortcut ? keysOf(shortcut) : [];
  return {
    ...act,
    key: label,
    label,
    also,
    content: <CommandRow icon={icon} label={label} hint={hint} keys={keys} />,
  };
}

function chatCommands({ screen, t, pathTo, signOut }: Surroundings): Command[] {
  const { panel, temporary, showHelp } = screen;
  const { toggle } = temporary;
  return [
    command(
      { icon: SquarePen, label: t('chat.newConversation'), shortcut: 'new', also: t('palette.wordsNew') },
      { to: pathTo('chat') },
    ),
    ...(toggle ? [command({ icon: MessageCircleDashed, label: t('chat.temporary') }, { run: toggle })] : []),
    command({ icon: PanelLeft, label: t('chat.keyList'), shortcut: 'list' }, { run: panel.toggle }),
    command({ icon: Archive, label: t('chat.archiveShow') }, { run: () => panel.showArchive(true) }),
    command({ icon: Keyboard, label: t('chat.keys'), shortcut: 'help' }, { run: showHelp }),
    command(
      { icon: LogOut, label: t('nav.logout'), also: t('palette.wordsLogout') },
      { run: () => void signOut() },
    ),
  ];
}

function conversationCommands({ screen, t }: Surroundings): Command[] {
  const { conversation, actions, rename, showFiles } = screen;
  if (!conversation) return [];
  const isPinned = conversation.pinnedAt !== null;
  const isArchived = conversation.archivedAt !== null;
  const kept = [
    command(
      { icon: Pencil, label: t('chat.rename'), also: t('palette.wordsRename') },
      { run: () => rename(true) },
    ),
    command(
      { icon: isPinned ? PinOff : Pin, label: isPinned ? t('chat.unpin') : t('chat.pin') },
      { run: () => void actions.pin(conversation, !isPinned) },
    ),
    command(
      {
        icon: isArchived ? ArchiveRestore : Archive,
        label: isArchived ? t('chat.unarchive') : t('chat.archive'),
      },
      { run: () => void actions.archive(conversation, !isArchived) },
    ),
  ];
  return [
    ...(conversation.temporary ? [] : kept),
    command({ icon: Paperclip, label: t('files.ofConversation') }, { run: showFiles }),
    command(
      { icon: FileDown, label: t('chat.exportMarkdown'), also: t('palette.wordsExport') },
      { run: () => actions.download(conversation, 'md') },
    ),
    command(
      { icon: FileDown, label: t('chat.exportJson'), also: t('palette.wordsExport') },
      { run: () => actions.download(conversation, 'json') },
    ),
    command(
      { icon: Trash2, label: t('chat.delete'), also: t('palette.wordsDelete') },
      { run: () => void actions.remove(conversation) },
    ),
  ];
}

function modelCommands({ screen: { choice }, t, language }: Surroundings): Command[] {
  return choice.models
    .filter((model) => model.allowed && !model.paused && model.id !== choice.model?.id)
    .map((model) =>
      command(
        {
          icon: Cpu,
          label: t('palette.useModel', { model: model.title[language] }),
          hint: model.cost === null ? '' : t('chat.modelPrice', { cost: model.cost }),
          also: t('palette.wordsModel'),
        },
        { run: () => choice.choose(model.id) },
      ),
    );
}

function lookCommands({ t, language, location, chooseTheme }: Surroundings): Command[] {
  const other = OTHER_LANGUAGE[language];
  return [
    ...THEMES.map((theme) =>
      command(
        {
          icon: SunMoon,
          label: t('palette.theme', { theme: t(`theme.${theme}`) }),
          also: t('palette.wordsTheme'),
        },
        { run: () => chooseTheme(theme) },
      ),
    ),
    command(
      { icon: Globe, label: t('language.other'), also: t('palette.wordsLanguage') },
      { run: () => window.location.assign(pathInLanguage(location, other)) },
    ),
  ];
}

const OWN_PAGES = ['subscription', 'credits', 'orders'] as const;

function pageCommands({ t, pathTo }: Surroundings): Command[] {
  const page = (label: string, to: string, also = '') => command({ icon: Link2, label, also }, { to });
  return [
    page(t('nav.profile'), '/profile', t('palette.wordsSettings')),
    ...ACCOUNT_PAGES.filter((one) => one !== 'profile/details').map((one) =>
      page(
        t('palette.section', { section: t(`accountPages.${one}`) }),
        `/${one}`,
        t('palette.wordsSettings'),
      ),
    ),
    ...[...OWN_PAGES, ...NAV_PAGES, ...FOOTER_PAGES]
      .filter((one) => one !== 'chat')
      .map((one) => page(t(navKey(one)), pathTo(one))),
  ];
}
