import type { FinishReason, NoticeCode, TokenUsage } from '#contract/chat.ts';
import type {
  CallPart,
  CodePart,
  OutputPart,
  ResultPart,
  SourcesPart,
  TextPart,
} from '#contract/message/parts.ts';
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
  /** MIME type, found in its bytes. */
  type: string;
  name: string;
  detail?: MediaPart['detail'];
  source: FileSource;
}

/** A call that a model made; `signature` is what its provider wants back with it. */
export type SignedCall = CallPart & { signature?: string | null | undefined };

/** One part of a turn as any model can be told it. */
export type TurnPart = TextPart | MediaPart | FilePart | SignedCall | ResultPart | CodePart | OutputPart;

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
}

/** What the model may do besides writing. A provider that has no such tool is not told of it. */
export interface RequestTools {
  /** Search the web. */
  search?: boolean | undefined;
  /** Read the addresses in the question. */
  addresses?: boolean | undefined;
  /** Run code of its own. */
  code?: boolean | undefined;
  functions?: FunctionTool[] | undefined;
  /** Which functions it calls; `{ name }`: that one. */
  choice?: 'auto' | 'none' | 'required' | { name: string } | undefined;
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
  /** Gemini's `cachedContents/…`, made for the upstream model named here. */
  cachedContent?: { name: string; model: string } | undefined;
}

/** A part of an answer that is neither text nor thinking. A picture comes with its bytes in base64. */
export type AnswerPart =
  | SignedCall
  | CodePart
  | OutputPart
  | SourcesPart
  | { kind: 'picture'; type: string; data: string };

/** What is known of an answer besides its text. */
export interface AnswerFacts {
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
  /** Its parts as the model wrote them; null while it is not whole, and where they are text alone. */
  kept: KeptParts | null;
}

export interface GenerateResult extends AnswerFacts {
  finishReason: 'stop' | 'length';
}

/** Called synchronously while the answer arrives, at most once each for one network packet; must not throw. */
export interface StreamHandlers {
  onText(text: string): void;
  onReasoning(text: string): void;
  onPart(part: AnswerPart): void;
  onNotice(code: NoticeCode): void;
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
  /** One vector per text, in order. */
  embed(modelId: string, texts: string[], signal: AbortSignal): Promise<number[][]>;
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
