import { useTranslation } from '#web/lib/i18n.tsx';
import { type AnswerTies, tiesOf } from './answer-ties.ts';
import { MarkdownText } from './markdown-text.tsx';

/** The footnotes of an answer, by their numbers, each with a way back to where it is pointed at first. */
export function Footnotes({ messageId, ties }: { messageId: string; ties: AnswerTies }) {
  const { t } = useTranslation('common');
  return (
    <section className="footnotes" aria-label={t('chat.footnotes')}>
      <ol>
        {ties.footnotes.map(({ label, text }, place) => {
          const number = place + 1;
          return (
            <li key={label} id={`${messageId}-fn-${number}`}>
              <MarkdownText messageId={messageId} source={text} open={false} ties={tiesOf(ties, text)} />
              <a href={`#${messageId}-fnref-${number}`} aria-label={t('chat.footnoteBack', { number })}>
                ↩
              </a>
            </li>
          );
        })}
      </ol>
    </section>
  );
}
