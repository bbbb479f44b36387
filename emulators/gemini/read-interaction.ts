import type { Question } from '../plan-answer.ts';
import { asList, asObject, InvalidArgument, type Json } from './invalid-argument.ts';
import type { KeptFiles } from './kept-files.ts';
import { findModel } from './models.ts';
import { readQuestion } from './read-question.ts';

/** What a request may have (ai.google.dev/api/interactions-api). */
const FIELDS = new Set(
  'model input system_instruction generation_config tools stream store previous_interaction_id response_format safety_settings service_tier labels'.split(
    ' ',
  ),
);

interface Content {
  role: 'user' | 'model';
  parts: Json[];
}

/**
 * What a request of the Interactions API asks, and the same request as `generateContent` has it, so that one model answers both.
 * Null: there is no such model. Throws `InvalidArgument` on what Google refuses.
 */
export function readInteraction(body: Json, kept: KeptFiles): { question: Question; generate: Json } | null {
  const model = findModel(String(body.model));
  if (!model) return null;
  const unknown = Object.keys(body).find((name) => !FIELDS.has(name));
  if (unknown !== undefined) throw new InvalidArgument(`Unknown parameter '${unknown}'.`);
  const { input, system_instruction: system, tools } = body;
  const { thinking_summaries: summaries } = asObject(body.generation_config);
  const generate = {
    contents: typeof input === 'string' ? [{ role: 'user', parts: [{ text: input }] }] : contentsOf(input),
    ...(system === undefined ? {} : { systemInstruction: { parts: [{ text: String(system) }] } }),
    generationConfig: { thinkingConfig: { includeThoughts: summaries === 'auto' } },
    tools: asList(tools).map(toolOf),
  };
  return { question: readQuestion(model, generate, kept), generate };
}

function toolOf({ type, environment }: Json, index: number): Json {
  if (type !== 'computer_use') throw unsupported(type, `tools[${index}]`);
  if (environment !== 'browser') throw unsupported(environment, `tools[${index}].environment`);
  return { computerUse: {} };
}

/** Steps of one side after the other are one turn of it. A thought signs the next call. */
function contentsOf(input: unknown): Content[] {
  const contents: Content[] = [];
  let signature: unknown;
  const add = (role: Content['role'], parts: Json[]) => {
    const last = contents.at(-1);
    if (last?.role === role) last.parts.push(...parts);
    else contents.push({ role, parts });
  };
  for (const [index, step] of asList(input).entries()) {
    if (step.role !== undefined) throw new InvalidArgument(TURN_LIST);
    if (step.type === 'thought') signature = step.signature;
    else if (step.type === 'user_input') add('user', asList(step.content).map(partOf));
    else if (step.type === 'model_output') add('model', asList(step.content).map(partOf));
    else if (step.type === 'function_result') add('user', [resultOf(step)]);
    else if (step.type === 'function_call') {
      add('model', [callOf(step, signature)]);
      signature = undefined;
    } else throw unsupported(step.type, `input[${index}]`);
  }
  return contents;
}

const TURN_LIST = 'When using the steps-based API version, use step_list input format instead of turn_list.';

function unsupported(value: unknown, at: string): InvalidArgument {
  return new InvalidArgument(`The value '${String(value)}' is not supported for 'type' at '${at}'.`);
}

function partOf({ type, text, data, uri, mime_type: mimeType }: Json): Json {
  if (type === 'text' && text === '') throw new InvalidArgument("Missing text in content of type 'text'.");
  if (type === 'text') return { text };
  return data === undefined ? { fileData: { fileUri: uri, mimeType } } : { inlineData: { mimeType, data } };
}

function callOf({ id, name, arguments: args }: Json, signature: unknown): Json {
  const signed = signature === undefined ? {} : { thoughtSignature: signature };
  return { functionCall: { id, name, args }, ...signed };
}

function resultOf({ call_id: id, name, result }: Json): Json {
  const text = asList(result).find(({ type }) => type === 'text')?.text;
  return { functionResponse: { id, name, response: JSON.parse(String(text ?? '{}')) } };
}
