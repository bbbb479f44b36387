import { execFile } from 'node:child_process';
import {
  copyFileSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { promisify } from 'node:util';
import { type Copy, DockerfileParser, type Env, type From, type Instruction } from 'dockerfile-ast';

const run = promisify(execFile);
/** What a step may take: the modules are fetched from the registry. */
const STEP_TIMEOUT_MS = 600_000;
const NODE_FOLDER = '/opt/node';
/** The users of Node's own image, as far as ours names them. */
const USERS = {
  passwd: 'root:x:0:0::/root:/bin/sh\nnode:x:1000:1000::/:/bin/sh\n',
  group: 'root:x:0:\nnode:x:1000:\n',
};

/** What the steps of a stage come to. */
export interface Stage {
  /** The folder that is `/` in it. */
  root: string;
  workdir: string;
  env: Record<string, string>;
  user: string;
  /** Arguments of the program that a container begins with. */
  command: string[];
  /** A line of the shell that fails while the container is not well. */
  healthCheck: string;
  /** Steps that were left out: they install packages of the system. */
  left: string[];
}

interface Build {
  bwrap: string;
  context: string;
  folder: string;
  plan: { from: From; steps: Instruction[] }[];
  built: Map<string, Stage>;
}

/**
 * Takes the steps of the Dockerfile in `context`, of its last stage and of those that it needs, each in a root of its own in `folder`:
 * `/usr` and `/etc` are this machine's and Node is this process's; all else comes of the steps. Needs root, for users of other numbers.
 * Throws for an instruction that it does not know, and where a step fails.
 */
export async function buildImage(bwrap: string, context: string, folder: string): Promise<Stage> {
  const text = readFileSync(join(context, 'Dockerfile'), 'utf8');
  const plan: Build['plan'] = [];
  for (const each of DockerfileParser.parse(text).getInstructions()) {
    if (each.getKeyword() === 'FROM') plan.push({ from: each as From, steps: [] });
    else plan.at(-1)?.steps.push(each);
  }
  return buildStage({ bwrap, context, folder, plan, built: new Map() }, plan.length - 1);
}

/** Flags of bubblewrap for a program in the stage; `mounts`: what else is there. */
export function flagsIn(stage: Stage, root: '--bind' | '--ro-bind', mounts: readonly string[]): string[] {
  const env = { PATH: `${NODE_FOLDER}:/usr/local/bin:/usr/bin:/bin`, HOME: '/root', ...stage.env };
  return [
    ...[root, stage.root, '/', '--ro-bind', '/usr', '/usr', '--ro-bind', '/etc', '/etc'],
    ...Object.keys(USERS).flatMap((name) => ['--ro-bind', join(dirname(stage.root), name), `/etc/${name}`]),
    ...['--dev', '/dev', '--proc', '/proc', '--tmpfs', '/tmp', '--tmpfs', '/root'],
    ...['--ro-bind', dirname(process.execPath), NODE_FOLDER, ...mounts],
    ...['--die-with-parent', '--unshare-pid', '--chdir', stage.workdir],
    ...Object.entries(env).flatMap(([name, value]) => ['--setenv', name, value]),
  ];
}

async function buildStage(build: Build, index: number): Promise<Stage> {
  const { from, steps } = build.plan[index] ?? { steps: [] };
  const name = from?.getBuildStage() ?? 'image';
  const done = build.built.get(name);
  if (done) return done;
  const root = join(build.folder, name);
  const base = await stageNamed(build, from?.getImage() ?? '');
  const stage: Stage = base
    ? { ...base, root, env: { ...base.env }, left: [...base.left] }
    : { root, workdir: '/', env: {}, user: 'root', command: [], healthCheck: '', left: [] };
  if (base) cpSync(base.root, root, { recursive: true, verbatimSymlinks: true });
  else makeRoot(root);
  for (const step of steps) await take(build, step, stage);
  build.built.set(name, stage);
  return stage;
}

/** The stage that the Dockerfile calls so; null for an image that comes from elsewhere. */
async function stageNamed(build: Build, name: string): Promise<Stage | null> {
  const index = build.plan.findIndex(({ from }) => from.getBuildStage() === name);
  return index < 0 ? null : buildStage(build, index);
}

/** A root whose programs are those of this machine. */
function makeRoot(root: string) {
  mkdirSync(root, { recursive: true });
  for (const name of ['bin', 'lib', 'lib64', 'sbin'])
    if (lstatSync(`/${name}`, { throwIfNoEntry: false })?.isSymbolicLink())
      symlinkSync(readlinkSync(`/${name}`), join(root, name));
  for (const [name, text] of Object.entries(USERS)) writeFileSync(join(dirname(root), name), text);
}

async function take(build: Build, step: Instruction, stage: Stage): Promise<void> {
  const words = step.getArguments().map((argument) => argument.getValue());
  const text = step.getRawArgumentsContent() ?? '';
  switch (step.getKeyword()) {
    case 'WORKDIR':
      stage.workdir = words[0] ?? '/';
      mkdirSync(join(stage.root, stage.workdir), { recursive: true });
      break;
    case 'ENV':
      for (const each of (step as Env).getProperties()) stage.env[each.getName()] = each.getValue() ?? '';
      break;
    case 'COPY':
      await copy(build, (step as Copy).getFromFlag()?.getValue() ?? null, words, stage);
      break;
    case 'RUN':
      if (text.startsWith('apt-get')) stage.left.push(text);
      else await runStep(build, text, stage);
      break;
    case 'USER':
      stage.user = words[0] ?? 'root';
      break;
    case 'HEALTHCHECK':
      stage.healthCheck = text.slice(text.indexOf('CMD ') + 4);
      break;
    case 'CMD':
      stage.command = JSON.parse(text) as string[];
      break;
    case 'ARG':
    case 'EXPOSE':
    case 'VOLUME':
      break;
    default:
      throw new Error(`an instruction that is not known here: ${step.getKeyword()}`);
  }
}

/** npm has this machine's settings, such as which registry it asks. */
async function runStep({ bwrap }: Build, text: string, stage: Stage): Promise<void> {
  const npmrc = join(homedir(), '.npmrc');
  const mounts = existsSync(npmrc) ? ['--ro-bind', npmrc, '/root/.npmrc'] : [];
  const flags = [...flagsIn(stage, '--bind', mounts), 'sh', '-ec', text];
  await run(bwrap, flags, { timeout: STEP_TIMEOUT_MS, maxBuffer: 64 * 1_048_576 });
}

/** A folder's content goes into the target, a file into it where the target is a folder; what `.dockerignore` names stays behind. */
async function copy(build: Build, from: string | null, words: string[], stage: Stage): Promise<void> {
  const source = from === null ? build.context : ((await stageNamed(build, from))?.root ?? '');
  const ignored = from === null ? ignoredNames(build.context) : [];
  const target = words.at(-1) ?? '.';
  const to = join(stage.root, resolve(stage.workdir, target));
  for (const word of words.slice(0, -1)) {
    const path = join(source, word);
    if (statSync(path).isDirectory()) {
      const filter = (each: string) => !ignored.includes(relative(source, each));
      cpSync(path, to, { recursive: true, verbatimSymlinks: true, filter });
    } else {
      const file = target.endsWith('/') || words.length > 2 ? join(to, basename(word)) : to;
      mkdirSync(dirname(file), { recursive: true });
      copyFileSync(path, file);
    }
  }
}

/** `.dockerignore` of names alone; patterns are not known here. */
function ignoredNames(context: string): string[] {
  const names = readFileSync(join(context, '.dockerignore'), 'utf8').split('\n').filter(Boolean);
  const pattern = names.find((name) => /[*!?/]/.test(name));
  if (pattern) throw new Error(`a pattern of .dockerignore that is not known here: ${pattern}`);
  return names;
}
