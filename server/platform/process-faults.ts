import type { Log } from './log.ts';

export interface ProcessFaults {
  /** Settles when something was thrown that nobody caught, after which the process cannot be trusted. */
  broken: Promise<Error>;
  release(): void;
}

/** Logs what nobody handled: a rejection is survived, an exception is not. */
export function watchProcessFaults(log: Log): ProcessFaults {
  const { promise, resolve } = Promise.withResolvers<Error>();
  const onRejection = (error: unknown) => log.error({ err: error }, 'nobody handled a rejection');
  const onException = (error: Error) => {
    log.fatal({ err: error }, 'nobody caught an exception');
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
