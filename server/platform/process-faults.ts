import type { Log } from './log.ts';

export interface ProcessFaults {
  /** Settles after an uncaught exception, after which the process cannot be trusted. */
  broken: Promise<Error>;
  release(): void;
}

/** Logs what no code handled: the process survives a rejection, not an exception. */
export function watchProcessFaults(log: Log): ProcessFaults {
  const { promise, resolve } = Promise.withResolvers<Error>();
  const onRejection = (error: unknown) => log.error({ err: error }, 'unhandled rejection');
  const onException = (error: Error) => {
    log.fatal({ err: error }, 'uncaught exception');
    resolve(error);
  };
  process.on('unhandledRejection', onRejection);
  process.on('uncaughtException', onException);
  return {
    broken: promise,
    release: () => {
      process.off('unhandledRejection', onRejection);
      process.off('uncaughtException', onException);
    },
  };
}
