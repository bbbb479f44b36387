import type { Effort, SendOptions } from '#contract/message/quotes.ts';
import { makesPictures } from '#server/catalogue/models.ts';
import { combinesTools, effortsOf, toolsOf } from '#server/catalogue/rules.ts';
import { SEARCH_FIRST } from '#server/chat/tools/compose-tools.ts';
import type { GenerateRequest, Turn } from '#server/chat/upstream/transport/upstream.ts';
import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors.ts';
import type { Completion } from './receive-completion.ts';

type Question = Completion['question'];
type OptionDeps = Pick<Deps, 'config'>;

/** From little to much, as OpenAI's clients say it; ours are among them. */
const EFFORTS = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'] as const;

/**
 * What a request asks for besides an answer, in our words. Throws `unsupported_parameter` for what the model cannot do, and
 * `unsupported_together` for what it cannot do at once.
 */
export function verifyOptions({ config }: OptionDeps, model: string, question: Question): SendOptions {
  const { isSearching, tools, format, picture } = question;
  const { chains } = config.upstream;
  const refuse = (field: string) => new AppError('unsupported_parameter', { field });
  const isPainter = makesPictures(model);
  if (picture && !isPainter) throw refuse(Object.keys(picture).length > 0 ? 'image_config' : 'modalities');
  if (isPainter && (tools || format)) throw refuse(tools ? 'tools' : 'response_format');
  if (isSearching && !toolsOf(model, chains).search) throw refuse('web_search_options');
  const options = { web_search_options: isSearching, tools, response_format: format };
  const [first, second] = Object.entries(options).flatMap(([name, option]) => (option ? [name] : []));
  if (first && second && !combinesTools(model, chains)) {
    throw new AppError('unsupported_together', { field: second, other: first });
  }
  return {
    effort: effortOf(effortsOf(model, chains), question),
    search: isSearching ? 'always' : undefined,
    picture,
  };
}

/** What the model is asked, its options verified. */
export function composeRequest(
  deps: OptionDeps,
  { model, question, turns }: { model: string; question: Question; turns: Turn[] },
): GenerateRequest {
  const { isSearching, ...rest } = question;
  const { effort } = verifyOptions(deps, model, question);
  const asked = { ...rest, turns, effort };
  if (!isSearching) return asked;
  const system = [question.system, SEARCH_FIRST].filter((text) => text !== null).join('\n\n');
  return { ...asked, system, tools: { ...question.tools, search: true } };
}

/**
 * The nearest of the model's efforts, the lower of two; undefined where nothing is said. A model that takes no effort is not
 * given a low one either. Throws `unsupported_parameter` where it is to think more.
 */
function effortOf(efforts: readonly Effort[], { effort }: Pick<Question, 'effort'>): Effort | undefined {
  if (!effort) return undefined;
  const far = (one: Effort) => Math.abs(EFFORTS.indexOf(one) - EFFORTS.indexOf(effort));
  const [nearest] = efforts.toSorted((left, right) => far(left) - far(right));
  if (nearest || effort === 'none' || effort === 'minimal') return nearest;
  throw new AppError('unsupported_parameter', { field: 'reasoning_effort' });
}
