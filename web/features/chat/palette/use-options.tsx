import { useLocation } from 'react-router';
import type { Conversation, SearchHit } from '#contract/chat.ts';
import { useSignOut } from '#web/features/accounts/session/sign-out.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { useTheme } from '#web/lib/theme.ts';
import { useLocalPath } from '#web/lib/use-language.ts';
import { TARGET } from '../conversation/use-target.ts';
import { listCommands, type PaletteScreen } from './list-commands.tsx';
import { findCommands, type Group, isMatch, type Option, rangesOf } from './option.ts';
import { SearchResult, TitleResult } from './search-result.tsx';
import type { Search } from './use-search.ts';

/** Conversations of the list that are offered before anything is typed, and found by their title. */
const MAX_RECENT = 5;
const MAX_TITLES = 6;

/**
 * What the palette offers for what is typed: what is known here at once, and beneath it what the server finds, so that nothing moves
 * under the reader's finger.
 */
export function useOptions(text: string, search: Search, screen: PaletteScreen): Group[] {
  const { t, i18n } = useTranslation('common');
  const pathTo = useLocalPath();
  const location = useLocation();
  const [, chooseTheme] = useTheme();
  const signOut = useSignOut();
  const query = text.trim();
  const chat = pathTo('chat');
  const listed = conversationsFor(query, screen);
  const around = { screen, t, language: i18n.language, pathTo, location, chooseTheme, signOut };
  const commands = listCommands(around).map(({ label, options }) => ({
    label,
    options: findCommands(options, query),
  }));
  const titles: Group = {
    label: query === '' ? t('palette.recent') : t('palette.titles'),
    options: listed.map((conversation) => ({
      key: conversation.id,
      to: `${chat}/${conversation.id}`,
      content: <TitleResult conversation={conversation} ranges={rangesOf(conversation.title, query)} />,
    })),
  };
  const shown = new Set(listed.map(({ id }) => id));
  const found: Group = {
    label: t('palette.found'),
    options: search.hits
      .filter(({ where, conversation }) => where !== 'title' || !shown.has(conversation.id))
      .map((hit) => ({ ...hitOption(hit, chat, search.words), isStale: search.isStale })),
  };
  return [titles, ...commands, found].filter(({ options }) => options.length > 0);
}

function conversationsFor(query: string, { list, id }: PaletteScreen): Conversation[] {
  const { conversations = [] } = list;
  if (query === '') return conversations.filter((one) => one.id !== id).slice(0, MAX_RECENT);
  return conversations.filter(({ title }) => isMatch(title, query)).slice(0, MAX_TITLES);
}

function hitOption(hit: SearchHit, chat: string, words: string[]): Option {
  const target = hit.messageId === null ? '' : `?${TARGET}=${hit.messageId}`;
  return {
    key: `${hit.conversation.id}-${hit.messageId}-${hit.where}`,
    to: `${chat}/${hit.conversation.id}${target}`,
    state: { words },
    content: <SearchResult hit={hit} />,
  };
}
