import { readNameBefore, readTold, type SeenFile, seeFile } from '../files/seen-file.ts';
import type { AskedTurn, OfferedTools, Question } from '../plan-answer.ts';
import { signatureOf } from './answer-picture.ts';
import { asList, asObject, InvalidArgument, type Json } from './invalid-argument.ts';
import type { KeptFiles } from './kept-files.ts';
import type { GeminiModel } from './models.ts';
import { readOffer } from './read-offer.ts';

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

/** The files of a request, also those whose content stands in a text. */
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

/** What Google refuses of calls and signatures. A signature `sig/MODEL/…` is of that model; any other belongs to no model. */
function checkParts(model: string, body: Json) {
  const contents = asList(body.contents).map((content) => asList(content.parts));
  for (const [index, parts] of contents.entries()) {
    for (const { thoughtSignature } of parts) {
      const [mark, of] = String(thoughtSignature ?? '').split('/');
      if (mark === 'sig' && of !== model) throw new InvalidArgument(FOREIGN);
    }
    const calls = parts.filter((part) => part.functionCall !== undefined);
    if (calls[0] && calls[0].thoughtSignature === undefined) throw new InvalidArgument(UNSIGNED);
    const results = (contents[index + 1] ?? []).filter((part) => part.functionResponse !== undefined);
    if (calls.length !== results.length) throw new InvalidArgument(UNANSWERED);
  }
}

const RATIOS = ['1:1', '2:3', '3:2', '3:4', '4:3', '4:5', '5:4', '9:16', '16:9', '21:9'];
const SIZES = ['1K', '2K', '4K'];
/** Pictures that a model which makes some takes in one request (cloud.google.com, page of the model). */
const MAX_PICTURES = 14;

/** What picture is asked for; null of a model that makes none. Throws as Google refuses options, and edits without their signatures. */
function readPicture(model: string, makes: boolean, body: Json): NonNullable<Question['picture']> | null {
  const { responseModalities, imageConfig } = asObject(body.generationConfig);
  const isWanted = Array.isArray(responseModalities) && responseModalities.includes('IMAGE');
  if (isWanted && !makes) {
    throw new InvalidArgument(
      'The requested combination of response modalities (TEXT, IMAGE) is not supported by the model.',
    );
  }
  if (!makes) return null;
  const { aspectRatio = null, imageSize = '1K' } = asObject(imageConfig);
  if (aspectRatio !== null && !RATIOS.includes(String(aspectRatio)))
    throw new InvalidArgument(
      'aspect_ratio must be one of 1:1, 2:3, 3:2, 3:4, 4:3, 4:5, 5:4, 9:16, 16:9, 21:9',
    );
  if (!SIZES.includes(String(imageSize))) throw new InvalidArgument('image_size must be one of 1K, 2K, 4K');
  const seen = checkMade(model, body);
  const ratio = aspectRatio === null ? null : String(aspectRatio);
  return { ratio, size: String(imageSize), base: seen.at(-1) ?? null };
}

/** The pictures of a request. One that this model made comes back with its signature and its very bytes. */
function checkMade(model: string, body: Json): Buffer[] {
  const pictures = asList(body.contents).flatMap(({ role, parts }, content) =>
    asList(parts).flatMap(({ inlineData, thoughtSignature }, place) => {
      const base64 = String(asObject(inlineData).data ?? '');
      if (inlineData === undefined) return [];
      if (role === 'model' && thoughtSignature === undefined) {
        throw new InvalidArgument(
          `Image part is missing a thought_signature in content position ${content + 1}, part position ${place + 1}.`,
        );
      }
      if (role === 'model' && thoughtSignature !== signatureOf(model, base64))
        throw new InvalidArgument(FOREIGN);
      return [Buffer.from(base64, 'base64')];
    }),
  );
  if (pictures.length > MAX_PICTURES) throw new InvalidArgument('Too many images in the request.');
  return pictures;
}

function checkThinking(model: string, config: Json) {
  const { thinkingBudget, thinkingLevel } = config;
  if (thinkingBudget !== undefined && thinkingLevel !== undefined) {
    throw new InvalidArgument('You can only set only one of thinking budget and thinking level.');
  }
  if (thinkingLevel !== undefined && model.startsWith('gemini-2')) {
    throw new InvalidArgument('Thinking level is not supported for this model.');
  }
  if (thinkingBudget !== undefined && model.startsWith('gemini-4')) {
    throw new InvalidArgument('Thinking budget is not supported for this model.');
  }
}

/** A level as it is, a budget by its size. */
function readEffort({ thinkingLevel, thinkingBudget }: Json): NonNullable<Question['effort']> | null {
  const level = ({ LOW: 'low', MEDIUM: 'medium', HIGH: 'high' } as const)[String(thinkingLevel)];
  if (level || typeof thinkingBudget !== 'number' || thinkingBudget < 0) return level ?? null;
  return thinkingBudget <= 1_024 ? 'low' : thinkingBudget < 8_192 ? 'medium' : 'high';
}

function readTools(body: Json): OfferedTools {
  const has = (name: string) => asList(body.tools).some((tool) => tool[name] !== undefined);
  return {
    search: has('googleSearch'),
    addresses: has('urlContext'),
    code: has('codeExecution'),
    echoes: asObject(body.toolConfig).includeServerSideToolInvocations === true,
  };
}

const UNSHOWN =
  'Please enable tool_config.include_server_side_tool_invocations to use Built-in tools with Function calling.';

/** Google's own tools beside functions of the caller need their calls to be parts. */
function checkTools(body: Json) {
  const { search, addresses, code, echoes } = readTools(body);
  const hasFunctions = asList(body.tools).some((tool) => tool.functionDeclarations !== undefined);
  if (hasFunctions && (search || addresses || code) && !echoes) throw new InvalidArgument(UNSHOWN);
}

/** Reads a `GenerateContentRequest`; throws `InvalidArgument` on what Google refuses. */
export function readQuestion({ id: model, pictures }: GeminiModel, body: Json, kept: KeptFiles): Question {
  const turns = readTurns(body);
  checkParts(model, body);
  const picture = readPicture(model, pictures, body);
  const thinking = asObject(asObject(body.generationConfig).thinkingConfig);
  checkThinking(model, thinking);
  checkTools(body);
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
    offer: readOffer(model, body),
    format: readFormat(asObject(body.generationConfig)),
    picture,
    tools: readTools(body),
    effort: readEffort(thinking),
  };
}

function readFormat({ responseMimeType: type, responseJsonSchema: schema }: Json): Question['format'] {
  return type === 'application/json' ? { schema } : null;
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
