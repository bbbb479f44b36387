import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const read = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');
const { engines, devDependencies } = JSON.parse(read('package.json'));
const lock = JSON.parse(read('package-lock.json'));

describe('the Node version', () => {
  it('that npm needs is the same in package.json, the lock file, the README and the bootstrap', () => {
    const [, oldest] = /^>=(\d+)$/.exec(engines.node) ?? [];
    expect(oldest).toBeDefined();
    expect(lock.packages[''].engines).toEqual(engines);
    expect(read('README.md')).toContain(`You need Node.js ${oldest} or newer`);
    expect(read('scripts/bootstrap.mjs')).toContain(`process.versions.node, 10) < ${oldest})`);
    expect(read('scripts/bootstrap.mjs')).toContain(`Parley needs Node.js ${oldest} or newer`);
  });

  it('that runs everything is the same in package.json, the README, the image and this test', () => {
    const major = devDependencies.node.split('.')[0];
    expect(process.versions.node).toBe(devDependencies.node);
    expect(read('README.md')).toContain(`Node ${major}`);
    const stages = read('Dockerfile').match(/^FROM node\S+/gm) ?? [];
    expect(stages.length).toBeGreaterThan(0);
    for (const stage of stages) expect(stage).toBe(`FROM node:${major}-bookworm-slim`);
  });
});
