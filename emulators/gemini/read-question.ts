import { readNameBefore, readTold, type SeenFile, seeFile } from '../files/seen-file.ts';
import type { AskedTurn, Question } from '../plan-answer.ts';
import type { KeptFiles } from './kept-files.ts';

/** A request that Google would refuse with 400 INVALID_ARGUMENT. */
export class InvalidArgument extends Error {}

type Json = Record<string, unknown>;

function asObject(value: unknown): Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {};
}

function asList(value: unknown): Json[] {
  return Array.isArray(value) ? value.map(asObject) : [];
}

/** The joined text of a `Content`. */
export function readText(content: unknown): string {
  return asList(asObject(content).parts)
    .map((part) => (typeof part.text === 'string' ? part.text : ''))
    .join('');
}

function readTurns(body: Json): AskedTurn[] {
  const contents = asList(body.contents);
  if (contents.length === 0) {
    throw new InvalidArgument('* GenerateContentRequest.contents: contents is not specified\n');
  }
  return contents.map((content, index) => {
    const role = content.role ?? 'user';
    if (role !== 'user' && role !== 'model') {
      throw new InvalidArgument('Please use a valid role: user, model.');
    }
    if (asList(content.parts).length === 0) {
      throw new InvalidArgument(
        `* GenerateContentRequest.contents[${index}].parts: contents.parts must not be empty.\n`,
      );
    }
    return { role, text: readTold(readText(content)).said };
  });
}

/** What Gemini reads as it is (ai.google.dev/gemini-api/docs/file-input-methods); Office files are not among it. */
const READS = /^(image\/(png|jpeg|webp|heic|heif)|application\/pdf|text\/[\w.+-]+)$/;

/** The files of a request, also those whose content is told in a text. */
function readFiles(body: Json, kept: KeptFiles): SeenFile[] {
  const contents = asList(body.contents);
  return contents.flatMap((content) => {
    const parts = asList(content.parts);
    return parts.flatMap((part, index) => {
      const before = parts[index - 1]?.text;
      const name = readNameBefore(typeof before === 'string' ? before : '');
      const { inlineData, fileData } = part;
      if (inlineData !== undefined) return [seeInline(asObject(inlineData), name)];
      if (fileData !== undefined) return [{ ...kept.read(asObject(fileData)), name }];
      return typeof part.text === 'string' ? readTold(part.text).files : [];
    });
  });
}

function seeInline({ mimeType, data }: Json, name: string | null): SeenFile {
  const type = String(mimeType ?? '');
  if (!READS.test(type)) throw new InvalidArgument(`Unsupported MIME type: ${type}`);
  const base64 = String(data ?? '');
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(base64)) {
    throw new InvalidArgument(
      "Invalid value at 'contents[0].parts[0].inline_data.data' (TYPE_BYTES), Base64 decoding failed",
    );
  }
  return seeFile(Buffer.from(base64, 'base64'), type, name);
}

const FOREIGN = 'Corrupted thought signature.';
const UNSIGNED = 'Function call is missing a thought_signature in functionCall parts.';
const UNANSWERED =
  'Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.';

/** What Google refuses of calls and signatures. A signature `sig/MODEL/…` is of that model; any other is nobody's. */
function checkParts(model: string, body: Json) {
  const contents = asList(body.contents).map((content) => asList(content.parts));
  for (const [index, parts] of contents.entries()) {
    for (const { functionCall, thoughtSignature } of parts) {
      const [mark, of] = String(thoughtSignature ?? '').split('/');
      if (mark === 'sig' && of !== model) throw new InvalidArgument(FOREIGN);
      if (functionCall !== undefined && thoughtSignature === undefined) throw new InvalidArgument(UNSIGNED);
    }
    const calls = parts.filter((part) => part.functionCall !== undefined).length;
    const results = (contents[index + 1] ?? []).filter((part) => part.functionResponse !== undefined).length;
    if (calls !== results) throw new InvalidArgument(UNANSWERED);
  }
}

function checkThinking(config: Json) {
  if (config.thinkingBudget !== undefined && config.thinkingLevel !== undefined) {
    throw new InvalidArgument('You can only set only one of thinking budget and thinking level.');
  }
}

function checkCache(body: Json) {
  const forbidden = ['systemInstruction', 'tools', 'toolConfig'].some((name) => body[name] !== undefined);
  if (body.cachedContent !== undefined && forbidden) {
    throw new InvalidArgument(
      'CachedContent can not be used with GenerateContent request setting system_instruction, tools or tool_config.',
    );
  }
}

/** Reads a `GenerateContentRequest`; throws `InvalidArgument` on what Google refuses. */
export function readQuestion(model: string, body: Json, kept: KeptFiles): Question {
  const turns = readTurns(body);
  checkParts(model, body);
  const thinking = asObject(asObject(body.generationConfig).thinkingConfig);
  checkThinking(thinking);
  checkCache(body);
  const token = body.continuationToken;
  if (token !== undefined && !/^\d+$/.test(String(token)))
    throw new InvalidArgument('Invalid continuation token.');
  const system = readText(body.systemInstruction);
  return {
    turns,
    system,
    model,
    wantsThoughts: thinking.includeThoughts === true,
    part: Number(token ?? 0),
    files: readFiles(body, kept),
  };
}

/** All text that a counting request is about, whichever of its two forms it has. */
export function readCountedText(body: Json): string {
  const inner = asObject(body.generateContentRequest);
  const source = inner.contents === undefined ? body : inner;
  if (asList(source.contents).length === 0) {
    throw new InvalidArgument('* CountTokensRequest.contents: contents is not specified\n');
  }
  return [source.systemInstruction, ...asList(source.contents)].map(readText).join('\n');
}
