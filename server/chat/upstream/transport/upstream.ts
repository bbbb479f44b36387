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
  /** The URI by which a request names it. */
  uri: string;
  expiresAt: Date;
}

/** The copies of one file, by the provider's project that keeps them. */
export interface FileCopies {
  find(project: string): Promise<FileCopy | null>;
  /** Has a copy that was just uploaded deleted in an hour, unless it is kept before. */
  recordNew(project: string, name: string): Promise<void>;
  keep(project: string, copy: FileCopy): Promise<void>;
  forget(project: string): Promise<void>;
}

/** The source of the bytes of a file, opened once the model that gets it is chosen. */
export interface FileSource {
  /** The id of the user who asks: what the files of one user take at once is bounded. */
  owner: string;
  /** Its length in bytes. */
  bytes: number;
  hasText: boolean;
  content(): Promise<Buffer>;
  /** The text found in it; null without any. */
  text(): Promise<string | null>;
  /** Null: no provider is to keep a copy. */
  copies: FileCopies | null;
}

/** A file that each model gets in the form that it reads: as media, or as text. */
export interface FilePart {
  kind: 'file';
  /** For a picture that the model made itself, in its own turn: the file that its parts refer to. */
  fileId?: string;
  /** MIME type, found in its bytes. */
  type: string;
  name: string;
  detail?: MediaPart['detail'];
  /** The tokens that a model reads of it, where that is known. */
  tokens?: number;
  source: FileSource;
}

/** A call that a model made; its provider wants `signature` back with it. */
export type SignedCall = CallPart & { signature?: string | null | undefined };

/** The page after a call: `response` is JSON text, `jpeg` a picture in base64, null where it is left out. */
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
  /** For a turn of the model: its parts as it wrote them, for that model alone. */
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

/** Tools of the provider that the model may use. A provider without a tool does not get it. */
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

/** The metadata of an answer. */
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
  /** The output tokens of pictures; null when the provider did not report them. */
  pictureTokens: number | null;
  /** Its parts as the model wrote them; null while the answer is incomplete, and where they are text alone. */
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
  /** The consumption of one request to a provider, once it is over: also of failed ones, and after a stop. */
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
