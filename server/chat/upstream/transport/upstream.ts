import type { FinishReason, NoticeCode, TokenUsage } from '#contract/chat.ts';
import type {
  CallPart,
  CodePart,
  OutputPart,
  ResultPart,
  SourcesPart,
  TextPart,
} from '#contract/message/parts.ts';
import type { Effort, PictureOptions } from '#contract/message/quotes.ts';
import type { ProviderUse } from '#server/catalogue/provider-cost-rules.ts';
import type { KeptParts } from './kept-parts.ts';

/** A picture or a document: its bytes in base64, or an address that the provider itself can read. */
export type MediaPart = {
  kind: 'media';
  /** MIME type. */
  type: string;
  name: string | null;
  /** How closely a picture is looked at, where a provider lets us say. */
  detail?: 'low' | 'high' | 'auto' | undefined;
} & ({ data: string } | { uri: string });

/** A copy of a file that a provider keeps for a while. */
export interface FileCopy {
  /** The provider's own name of it. */
  name: string;
  /** What a request names it by. */
  uri: string;
  expiresAt: Date;
}

/** The copies of one file, by the provider's project that keeps them. */
export interface FileCopies {
  find(project: string): Promise<FileCopy | null>;
  keep(project: string, copy: FileCopy): Promise<void>;
  forget(project: string): Promise<void>;
}

/** Where the bytes of a file come from, once it is known which model gets it. */
export interface FileSource {
  /** Its length. */
  bytes: number;
  hasText: boolean;
  content(): Promise<Buffer>;
  /** The text found in it; null without any. */
  text(): Promise<string | null>;
  /** Null: no provider is to keep a copy. */
  copies: FileCopies | null;
}

/** A file that is given to each model in the form that it reads: as media, or as text. */
export interface FilePart {
  kind: 'file';
  /** Of a picture that the model made itself, in its turn: the file that what it wrote refers to. */
  fileId?: string;
  /** MIME type, found in its bytes. */
  type: string;
  name: string;
  detail?: MediaPart['detail'];
  /** What a model reads of it, where that is known. */
  tokens?: number;
  source: FileSource;
}

/** A call that a model made; `signature` is what its provider wants back with it. */
export type SignedCall = CallPart & { signature?: string | null | undefined };

/** What a browser shows after a call: `response` is JSON text, `jpeg` the page in base64, null where it is left out. */
export interface SeenPart {
  kind: 'seen';
  id: string;
  name: string;
  response: string;
  jpeg: string | null;
}

/** One part of a turn as any model can be given it. */
export type TurnPart =
  | TextPart
  | MediaPart
  | FilePart
  | SignedCall
  | ResultPart
  | SeenPart
  | CodePart
  | OutputPart;

export interface Turn {
  role: 'user' | 'model';
  parts: TurnPart[];
  /** Of a model's turn: its parts as it wrote them, for that model alone. */
  kept?: KeptParts | null | undefined;
}

/** A function of the caller's own that the model may call; `parameters` is a JSON Schema. */
export interface FunctionTool {
  name: string;
  description?: string | undefined;
  parameters?: unknown;
  /** The arguments have to fit the schema, where a provider can promise it. */
  strict?: boolean | undefined;
}

/** An answer that is JSON and nothing else; without a `schema` of whatever shape. */
export interface AnswerFormat {
  schema?: unknown;
  /** For providers that want a schema to have a name. */
  name?: string | undefined;
  description?: string | undefined;
  strict?: boolean | undefined;
}

/** What the model may do besides writing. A provider that has no such tool is not given it. */
export interface RequestTools {
  /** Search the web. */
  search?: boolean | undefined;
  /** Read the addresses in the question. */
  addresses?: boolean | undefined;
  /** Run code of its own. */
  code?: boolean | undefined;
  /** Drive a browser. */
  browser?: boolean | undefined;
  functions?: FunctionTool[] | undefined;
  /** Which functions it calls; `{ name }`: that one. */
  choice?: 'auto' | 'none' | 'required' | { name: string } | undefined;
  /** False: one call at a time. */
  parallel?: boolean | undefined;
}

/** One question to a model: the conversation so far, ending with the user's turn. */
export interface GenerateRequest {
  system: string | null;
  turns: Turn[];
  maxOutputTokens?: number | undefined;
  /** Sampling is sent only to models whose route says that they take it. */
  temperature?: number | undefined;
  topP?: number | undefined;
  stop?: string[] | undefined;
  seed?: number | undefined;
  tools?: RequestTools | undefined;
  format?: AnswerFormat | undefined;
  /** A picture is wanted besides words. */
  picture?: PictureOptions | undefined;
  /** How much the model is to think; a route that does not take it is not given it. */
  effort?: Effort | undefined;
}

/** A part of an answer that is neither text nor thinking. Pictures are numbered from 0, as `kept` refers to them. */
export type UpstreamPart = SignedCall | CodePart | OutputPart | SourcesPart | MadePicture;

export interface MadePicture {
  kind: 'picture';
  n: number;
  data: Buffer;
}

/** What is known of an answer besides its text. */
export interface AnswerMetadata {
  /** The model the provider says answered; null when it did not say. */
  modelVersion: string | null;
  /** The model we asked for. */
  upstreamModel: string;
  /** Null when the provider sent none, or sent nonsense. */
  usage: TokenUsage | null;
  /** Null when the provider has not said why the answer ended. */
  finishReason: FinishReason | null;
  /** Web searches that the provider ran for it. */
  searches: number;
  /** Of the output tokens, those of pictures; null when the provider did not say. */
  pictureTokens: number | null;
  /** Its parts as the model wrote them; null while it is not whole, and where they are text alone. */
  kept: KeptParts | null;
}

export interface GenerateResult extends AnswerMetadata {
  finishReason: 'stop' | 'length';
}

/** Called synchronously while the answer arrives, at most once each for one network packet; must not throw. */
export interface StreamHandlers {
  onText(text: string): void;
  onReasoning(text: string): void;
  onPart(part: UpstreamPart): void;
  onNotice(code: NoticeCode): void;
  /** What one request to a provider consumed, once it is over: also of those that failed, and after a stop. */
  onUse(use: ProviderUse): void;
}

/**
 * The models behind the catalogue. Every call walks the chain of the catalogue model, retries what may be retried, keeps
 * the time-outs, and rejects with `UpstreamError` only: `aborted` when `signal` was aborted.
 */
export interface Upstream {
  /** Streams an answer; resolves when it is complete and says something, rejects otherwise. */
  stream(
    modelId: string,
    request: GenerateRequest,
    handlers: StreamHandlers,
    signal: AbortSignal,
  ): Promise<GenerateResult>;
  /** Input tokens of a request, as the provider counts them; a local estimate where it has no such call. */
  countTokens(modelId: string, request: GenerateRequest, signal: AbortSignal): Promise<number>;
  /** Deletes a copy of a file that a provider keeps; one of a project that is not served any more goes by itself. */
  deleteCopy(copy: { project: string; name: string }, signal: AbortSignal): Promise<void>;
  /** Closes idle connections; running calls are not waited for. */
  close(): void;
}

/** Limits of one call, in milliseconds. */
export interface UpstreamTimeouts {
  connectMs: number;
  /** From the call to the first token, retries and further routes of the chain included. */
  firstTokenMs: number;
  idleMs: number;
  totalMs: number;
}
