import type { z } from 'zod';

/** What a setting must look like, in the words of the two languages. */
export interface Expectation {
  zh: string;
  en: string;
}

interface SettingProblem {
  name: string;
  /** Null when it is missing, or must not be shown. */
  given: string | null;
  expected: Expectation;
}

/** The settings cannot be used. The message names every problem, one a line, in Chinese and English. */
export class ConfigError extends Error {
  constructor(problems: readonly SettingProblem[]) {
    const lines = problems.map(({ name, given, expected }) => {
      const zh = given === null ? '' : `现为 ${given}，`;
      const en = given === null ? '' : `is ${given}; `;
      return `  ${name}：${zh}${expected.zh} · ${en}${expected.en}`;
    });
    const head = [
      '配置有问题，没有启动。请修改下列环境变量后重试，各项说明见 .env.example。',
      'The settings have problems, so nothing was started. Mend these environment variables and try again; .env.example explains them.',
    ];
    super([...head, ...lines].join('\n'));
    this.name = 'ConfigError';
  }
}

/** Reads settings one by one and remembers every problem, so that all of them are reported at once. An empty value is no value. */
export class Environment {
  readonly #values: Record<string, string | undefined>;
  readonly #problems: SettingProblem[] = [];

  constructor(values: Record<string, string | undefined>) {
    this.#values = values;
  }

  /** The value as it was given, trimmed; null when it is missing or empty. */
  text(name: string): string | null {
    return this.#values[name]?.trim() || null;
  }

  /** A value that `schema` accepts; `fallback` when it is missing, or bad and remembered as a problem. */
  read<T>(name: string, schema: z.ZodType<T>, expected: Expectation, fallback: T): T {
    const text = this.text(name);
    if (text === null) return fallback;
    const parsed = schema.safeParse(text);
    if (parsed.success) return parsed.data;
    this.report(name, text, expected);
    return fallback;
  }

  /** Like `read`, for what must never be shown; null when it is missing. */
  secret(name: string, schema: z.ZodType<string>, expected: Expectation): string | null {
    const text = this.text(name);
    if (text === null) return null;
    if (!schema.safeParse(text).success) this.report(name, null, expected);
    return text;
  }

  /** Remembers a problem; `given` is cut to a readable length, null when it is missing or secret. */
  report(name: string, given: string | null, expected: Expectation) {
    const shown =
      given === null ? null : JSON.stringify(given.length > 100 ? `${given.slice(0, 100)}…` : given);
    this.#problems.push({ name, given: shown, expected });
  }

  /** Throws `ConfigError` if anything was reported. */
  refuseProblems() {
    if (this.#problems.length > 0) throw new ConfigError(this.#problems);
  }
}
