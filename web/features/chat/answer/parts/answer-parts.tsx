import { CodeRun } from './code-run.tsx';
import { MadePicture } from './made-picture.tsx';
import type { Stretch } from './read-parts.ts';

export { Reasoning } from './reasoning.tsx';

interface PartBlockProps {
  stretch: Extract<Stretch, { kind: 'part' }>;
  /** It runs now. */
  running: boolean;
}

/** Code that was run for the answer, or a picture that the model made. */
export function PartBlock({ stretch: { part, outputs }, running }: PartBlockProps) {
  if (part.kind === 'image') return <MadePicture part={part} />;
  return part.kind === 'code' ? (
    <CodeRun code={part} outputs={outputs} running={running} />
  ) : (
    <CodeRun code={null} outputs={[part]} running={false} />
  );
}
