import { availableParallelism } from 'node:os';
import { z } from 'zod';
import { MAX_RUNS } from './computer/host/protocol.ts';
import type { Environment } from './platform/environment.ts';
import { oneOf, readSecret, readTestHosts, readWhole } from './platform/read-setting.ts';

/** Browsers that models drive in front of their users. */
export interface ComputerSettings {
  /** False: no browser is ever started, and the model answers in words. */
  isOn: boolean;
  /** Names that the browser may reach on this machine, as `name: host:port`; empty outside tests and the offline default. */
  testHosts: Readonly<Record<string, string>>;
  /** The program that holds the browsers. */
  host: {
    /** `host:port` or the path of a socket; null: a child process of ours. */
    address: string | null;
    token: string | null;
    /** Browsers at once; more runs wait for their turn. */
    runs: number;
    memoryMb: number;
    lifetimeMinutes: number;
    chromium: string | null;
  };
  /** Milliseconds. */
  timeouts: {
    /** The own time of a run: without its waits for its user and for its turn. */
    runMs: number;
    /** Without progress of its browser. */
    idleMs: number;
    /** How long it waits for its user. */
    answerMs: number;
  };
}

/** Reads the settings of Computer Use; problems are reported to `env`. */
export function readComputerSettings(env: Environment, isPublic: boolean): ComputerSettings {
  const answerMs = readWhole(env, 'COMPUTER_ANSWER_TIMEOUT_MS', 100, 3_600_000, 600_000);
  const runMs = readWhole(env, 'COMPUTER_RUN_TIMEOUT_MS', 100, 3_600_000, 300_000);
  const states = ['auto', 'off'] as const;
  return {
    isOn: env.read('COMPUTER_USE', z.enum(states), oneOf([...states]), 'auto') === 'auto',
    testHosts: readTestHosts(env, 'COMPUTER_TEST_HOSTS', isPublic),
    host: {
      address: env.text('COMPUTER_HOST'),
      token: readSecret(env, 'COMPUTER_HOST_TOKEN', 16),
      runs: readWhole(env, 'COMPUTER_RUNS', 1, MAX_RUNS, Math.min(MAX_RUNS, availableParallelism())),
      memoryMb: readWhole(env, 'COMPUTER_MEMORY_MB', 256, 16_384, 1_024),
      // A run asks its user at every step at worst; a browser that outlives that was forgotten.
      lifetimeMinutes: Math.ceil((runMs + 6 * answerMs) / 60_000),
      chromium: env.text('COMPUTER_CHROMIUM'),
    },
    timeouts: {
      runMs,
      idleMs: readWhole(env, 'COMPUTER_IDLE_TIMEOUT_MS', 100, 3_600_000, 60_000),
      answerMs,
    },
  };
}
