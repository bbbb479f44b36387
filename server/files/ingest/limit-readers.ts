import { READING_LIMITS } from '../reading/reading-rules.ts';

/** Kinds of files beside those of `/v1`: uploads, made pictures, kept files, conversions, pictures of users. */
const KINDS = 5;
/** The part of the memory that readers may take; the rest is for the server, and for a database beside it. */
const SHARE = 3 / 4;

/**
 * How many files a server reads at once, by its cores and its memory in bytes: of each kind, and for `/v1`. There is always one reader of
 * each kind, and two of `/v1`, so that no user takes all of these. More of them, all kinds together, are never more than what fits into
 * three quarters of the memory if each reads a large picture.
 */
export function limitReaders(cores: number, memory: number): { ofEachKind: number; ofApi: number } {
  const fitting = Math.floor((SHARE * memory) / READING_LIMITS.pictureProcess.memory);
  // `/v1` reads twice as many as a kind.
  const ofEachKind = Math.max(1, Math.min(Math.floor(cores / 2), Math.floor(fitting / (KINDS + 2))));
  const ofApi = Math.max(2, Math.min(Math.max(3, cores), fitting - KINDS * ofEachKind));
  return { ofEachKind, ofApi };
}
