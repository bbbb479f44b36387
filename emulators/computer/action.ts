/** What the emulated model wants done, in no vocabulary. `x`, `y`: shares of the window. */
export type Action =
  | { kind: 'navigate'; url: string }
  | { kind: 'click'; x: number; y: number }
  | { kind: 'fill'; x: number; y: number; text: string; enter: boolean }
  | { kind: 'scroll' };

/**
 * What the emulated model does next: an action with the reason, in the words of the user’s language, or the last word. `before`: the
 * reason for the click that comes before typing. `ask`: what the user must agree to first.
 */
export type Move =
  | { kind: 'act'; action: Action; intent: string; before?: string; ask?: string }
  | { kind: 'say'; text: string };

/** The two sets of function names that Gemini speaks, by the generation of the model. */
export type Vocabulary = 'legacy' | 'new';

interface Call {
  name: string;
  args: Record<string, unknown>;
}

const LEGACY = /^gemini-(2\.5-computer-use|3-flash-preview|3\.1-pro-preview)/;

/** Which set a model speaks. */
export function vocabularyOf(model: string): Vocabulary {
  return LEGACY.test(model) ? 'legacy' : 'new';
}

/** A share of the window on the grid of 0 to 999. */
function onGrid(share: number): number {
  return Math.min(999, Math.max(0, Math.floor(share * 1000)));
}

const SPEAK: Record<Vocabulary, (action: Action) => Call[]> = {
  legacy(action) {
    if (action.kind === 'navigate') return [{ name: 'navigate', args: { url: action.url } }];
    if (action.kind === 'scroll') return [{ name: 'scroll_document', args: { direction: 'down' } }];
    const at = { x: onGrid(action.x), y: onGrid(action.y) };
    if (action.kind === 'click') return [{ name: 'click_at', args: at }];
    const args = { ...at, text: action.text, press_enter: action.enter, clear_before_typing: true };
    return [{ name: 'type_text_at', args }];
  },
  new(action) {
    if (action.kind === 'navigate') return [{ name: 'navigate', args: { url: action.url } }];
    if (action.kind === 'scroll')
      return [{ name: 'scroll', args: { x: 500, y: 500, direction: 'down', magnitude: 600 } }];
    const click = { name: 'click', args: { x: onGrid(action.x), y: onGrid(action.y) } };
    if (action.kind === 'click') return [click];
    return [click, { name: 'type', args: { text: action.text, press_enter: action.enter } }];
  },
};

/** The function calls of an action. New models say why; what the user must agree to stands in the last call. */
export function speakAction(move: Extract<Move, { kind: 'act' }>, vocabulary: Vocabulary): Call[] {
  const calls = SPEAK[vocabulary](move.action);
  return calls.map(({ name, args }, at) => ({
    name,
    args: {
      ...args,
      ...(vocabulary === 'new'
        ? { intent: at < calls.length - 1 ? (move.before ?? move.intent) : move.intent }
        : {}),
      ...(move.ask !== undefined && at === calls.length - 1
        ? { safety_decision: { decision: 'require_confirmation', explanation: move.ask } }
        : {}),
    },
  }));
}
