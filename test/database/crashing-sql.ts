import type { Sql } from 'postgres';

/** The process died: nothing it does reaches the database any more. */
export class Crash extends Error {}

/** What postgres.js calls to send a statement, and what it calls when that fails. */
interface RunningQuery {
  handler(query: RunningQuery): void;
  reject(error: unknown): void;
}

/** A database that a process stops reaching at one of its steps: a statement, or the commit of a transaction. */
export class CrashingSql {
  /** Steps that were taken, or tried after the crash. */
  steps = 0;
  readonly #crashAt: number;
  readonly sql: Sql;

  /** @param crashAt the step that is not done any more, counted from 1; without it all are done, and counted */
  constructor(sql: Sql, crashAt = Number.POSITIVE_INFINITY) {
    this.#crashAt = crashAt;
    this.sql = this.#wrap(sql);
  }

  #step() {
    this.steps += 1;
    if (this.steps >= this.#crashAt) throw new Crash(`the process died before step ${this.#crashAt}`);
  }

  #wrap<T extends object>(sql: T): T {
    return new Proxy(sql, {
      apply: (target, self, given) => {
        const made = Reflect.apply(target as never, self, given);
        return isTemplate(given[0]) ? this.#watch(made as RunningQuery) : made;
      },
      get: (target, name, receiver) => {
        if (name === 'begin' || name === 'savepoint')
          return this.#transaction(target as unknown as Sql, name as 'begin');
        return Reflect.get(target, name, receiver);
      },
    });
  }

  /** A fragment is never run by itself, so only what is sent to the database is a step. */
  #watch(query: RunningQuery) {
    const run = query.handler;
    query.handler = (own) => {
      try {
        this.#step();
      } catch (error) {
        return own.reject(error);
      }
      run(own);
    };
    return query;
  }

  #transaction(target: Sql, name: 'begin') {
    return async (work: (tx: Sql) => unknown) => {
      this.#step();
      const result = await target[name](async (tx) => {
        const done = await work(this.#wrap(tx) as never);
        if (name === 'begin') this.#step();
        return done as never;
      });
      this.#step();
      return result;
    };
  }
}

function isTemplate(given: unknown): boolean {
  return Array.isArray(given) && 'raw' in given;
}
