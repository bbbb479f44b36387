import { useWords } from './use-words.ts';

/** Why an answer failed, and what lay behind it at the provider. */
export function FailureCause({ code, fault }: { code: string; fault: string | null }) {
  const word = useWords();
  return (
    <>
      {word('failure', code)}
      {fault === null ? null : <span className="block text-soft text-sm">{word('fault', fault)}</span>}
    </>
  );
}
