import type { Offer, OfferedFunction } from '../functions/call-functions.ts';
import { asList, asObject, InvalidArgument, type Json } from './invalid-argument.ts';

const NAME = /^[a-zA-Z_][\w.:-]{0,127}$/;
const MAX_FUNCTIONS = 128;

/** The functions of a request, the calls that it brings back, and what Google refuses of them. */
export function readOffer(model: string, body: Json): Offer {
  const tools = asList(body.tools);
  const functions = tools.flatMap((tool) => asList(tool.functionDeclarations)).map(readFunction);
  const { functionCallingConfig, includeServerSideToolInvocations } = asObject(body.toolConfig);
  const isMixed = functions.length > 0 && tools.some((tool) => tool.functionDeclarations === undefined);
  const isJson = asObject(body.generationConfig).responseMimeType === 'application/json';
  const isOld = /^gemini-[12]\b/.test(model);
  if (isMixed && (isOld || includeServerSideToolInvocations !== true)) {
    throw new InvalidArgument('Tool use with function calling is unsupported');
  }
  if (isJson && isOld && tools.length > 0) {
    throw new InvalidArgument(
      "Function calling with a response mime type: 'application/json' is unsupported",
    );
  }
  checkNames(functions);
  return {
    functions,
    choice: readChoice(asObject(functionCallingConfig)),
    isParallel: true,
    ...readRounds(asList(body.contents)),
  };
}

function readFunction({ name, description, parametersJsonSchema }: Json): OfferedFunction {
  if (typeof name !== 'string' || !NAME.test(name)) {
    throw new InvalidArgument(
      'GenerateContentRequest.tools[0].function_declarations[0].name: Invalid function name. Must start with a letter or an underscore.',
    );
  }
  if ((asObject(parametersJsonSchema).type ?? 'object') !== 'object') {
    throw new InvalidArgument(
      `GenerateContentRequest.tools[0].function_declarations[0].parameters_json_schema: invalid (${name})`,
    );
  }
  return { name, description: String(description ?? ''), parameters: parametersJsonSchema };
}

function checkNames(functions: readonly OfferedFunction[]) {
  const names = new Set(functions.map(({ name }) => name));
  if (names.size < functions.length) {
    throw new InvalidArgument('Duplicate function declaration found');
  }
  if (functions.length > MAX_FUNCTIONS) throw new InvalidArgument('Too many function declarations');
}

function readChoice({ mode, allowedFunctionNames }: Json): Offer['choice'] {
  const [name] = Array.isArray(allowedFunctionNames) ? allowedFunctionNames : [];
  if (name !== undefined && mode !== 'ANY') {
    throw new InvalidArgument('Allowed function names should only be set when function calling mode is ANY.');
  }
  if (typeof name === 'string') return { name };
  return mode === 'ANY' ? 'required' : mode === 'NONE' ? 'none' : 'auto';
}

/** How often functions were called since the last words of the user, and what came of it last. */
function readRounds(contents: readonly Json[]): Pick<Offer, 'rounds' | 'results'> {
  const parts = contents.map((content) => asList(content.parts));
  const from = parts.findLastIndex(
    (each, index) => contents[index]?.role !== 'model' && each.some((part) => typeof part.text === 'string'),
  );
  const since = parts.slice(from + 1);
  const isCall = ({ functionCall }: Json) => functionCall !== undefined;
  const results = (since.at(-1) ?? []).flatMap(({ functionResponse }) =>
    functionResponse === undefined ? [] : [asObject(functionResponse)],
  );
  return {
    rounds: since.filter((each) => each.some(isCall)).length,
    results: results.map(({ name, response }) => ({
      name: String(name),
      output: JSON.stringify(response),
    })),
  };
}
