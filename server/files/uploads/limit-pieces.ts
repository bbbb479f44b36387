import { AppError } from '#server/errors.ts';

/** Pieces of 1 MB that a process receives at once, in all and of one user: few accounts together do not shut others out. */
const PIECES_AT_ONCE = 256;
const PIECES_OF_USER = 8;

/** Bounds the pieces that are being received at once, in all and of one user. */
export function limitPieces() {
  const users = new Map<string, number>();
  let all = 0;

  /** Runs `receive` with a place. Throws `too_many_uploads` where there is none, with the seconds to wait. */
  return async function withPlace<T>(userId: string, receive: () => Promise<T>): Promise<T> {
    const mine = users.get(userId) ?? 0;
    if (all >= PIECES_AT_ONCE || mine >= PIECES_OF_USER)
      throw new AppError('too_many_uploads', { seconds: 1 });
    all += 1;
    users.set(userId, mine + 1);
    try {
      return await receive();
    } finally {
      all -= 1;
      const left = (users.get(userId) ?? 1) - 1;
      if (left === 0) users.delete(userId);
      else users.set(userId, left);
    }
  };
}
