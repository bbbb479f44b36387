import { classNames } from '#web/ui/class-names.ts';

const TONE = {
  plain: 'text-soft',
  good: 'text-success',
  wait: 'text-warning',
  bad: 'text-danger',
} as const;

type Tone = keyof typeof TONE;

const TONES: Record<Tone, readonly string[]> = {
  good: ['granted', 'paid', 'active', 'done', 'ready', 'on'],
  wait: ['open', 'new', 'waiting', 'pending', 'past_due', 'scheduled_cancel', 'paused'],
  bad: ['not_granted', 'failed', 'disputed', 'dispute', 'interrupted'],
  plain: [],
};

/** A state in words; its colour only repeats what they say. */
export function StateTag({ state, word }: { state: string; word: string }) {
  const tone = (Object.keys(TONES) as Tone[]).find((one) => TONES[one].includes(state)) ?? 'plain';
  return <span className={classNames('whitespace-nowrap max-md:whitespace-normal', TONE[tone])}>{word}</span>;
}
