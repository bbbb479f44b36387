import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { ErrorBody } from '#contract/errors.ts';
import type { KeepRequest, Kept } from '#contract/message/computer.ts';
import type { FilePage, FileText } from '#contract/message/files.ts';
import type { TestClient } from '#test/client.ts';
import { type ComputerApp, createComputerApp, sendTask, waitForTask } from '#test/computer/computer.ts';
import { callOf } from '#test/computer/played-model.ts';
import { expectNoDrift } from '#test/credits/ledger.ts';

let app: ComputerApp;
beforeAll(async () => {
  app = await createComputerApp();
});
beforeEach(() => {
  app.reset();
  app.host.play(() => ({ jpeg: null }));
  app.host.showTables([
    {
      ...{ heading: '价目表', hasHead: true, isCut: false },
      rows: [
        ['名称', '价格'],
        ['=1+1', '¥168'],
      ],
    },
  ]);
  app.model.play([callOf('click', { x: 1, y: 1 })]);
});
afterAll(() => app.close());

const TABLE: KeepRequest = { what: 'table', n: 1 };
const CSV = "\uFEFF名称,价格\r\n'=1+1,¥168\r\n";
const keep = (client: TestClient, id: string, thing: KeepRequest = TABLE) =>
  client.post(`/api/messages/${id}/kept`, thing);
const filesOf = async (client: TestClient, id: string) =>
  ((await (await client.get(`/api/conversations/${id}/files`)).json()) as FilePage).files;

async function endedRun() {
  const user = await app.pro();
  const { id, conversationId } = await waitForTask(user, (await sendTask(user)).id);
  return { user, id, conversationId };
}

test('a table becomes one file in CSV without a formula, that no turn reads until its user says so', async () => {
  const { user, id, conversationId } = await endedRun();
  expect(await filesOf(user, conversationId)).toEqual([]);
  const answers = await Promise.all([keep(user, id), keep(user, id)]);
  const [kept, again] = await Promise.all(answers.map(async (each) => (await each.json()) as Kept));
  const file = kept?.file;
  expect(kept?.key).toBe('table:1');
  expect(file).toMatchObject({ name: '价目表.csv', type: 'text/plain', state: 'ready', everyTurn: false });
  expect(again?.file.id).toBe(file?.id);
  const content = Buffer.from(await (await user.get(`/api/files/${file?.id}/content`)).arrayBuffer());
  expect(content.toString()).toBe(CSV);
  const { text } = (await (await user.get(`/api/files/${file?.id}/text`)).json()) as FileText;
  expect(text).toContain('名称,价格');
  expect((await filesOf(user, conversationId)).map((one) => one.id)).toEqual([file?.id]);
  await waitForTask(user, (await sendTask(user, { conversationId, parentId: id })).id);
  expect(JSON.stringify(app.model.asked.at(-1)?.body.contents)).not.toContain('168');
  await expectNoDrift(app.database.database.sql, user.userId);
});

test('a table that is not there, or of another user, is not kept', async () => {
  const { user, id } = await endedRun();
  const codeOf = async (answered: Response) => ((await answered.json()) as ErrorBody).error.code;
  expect(await codeOf(await keep(user, id, { what: 'table', n: 2 }))).toBe('not_found');
  expect(await codeOf(await keep(await app.pro(), id))).toBe('not_found');
  const rows = { ...TABLE, rows: [['a', 'b']] };
  expect((await user.post(`/api/messages/${id}/kept`, rows)).status).toBe(422);
});

test('a table goes with its conversation, and so does the file that it was kept as', async () => {
  const { user, id, conversationId } = await endedRun();
  const { file } = (await (await keep(user, id)).json()) as Kept;
  await user.delete(`/api/conversations/${conversationId}`);
  expect((await user.get(`/api/files/${file.id}`)).status).toBe(404);
  expect((await keep(user, id)).status).toBe(404);
});
