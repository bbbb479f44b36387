import { TUS_VERSION } from '#contract/limits.ts';
import { deletionQuery, everyTurnSchema } from '#contract/message/files.ts';
import { asks, NOTHING, type RouteInput, takes } from '../routes/route-input.ts';

const NUMBERS = ['0', '5', '1000', '1048577', '99999999', '-1', '1e3', '', '9'.repeat(30)];
const TUS = [TUS_VERSION, TUS_VERSION, TUS_VERSION, '0.2.2', ''];
const METADATA = [
  'filename bm90ZXMudHh0',
  'filename bm90ZXMudHh0,keep_place dHJ1ZQ==',
  'filename bm90ZXMudHh0,id MDFhYWQ1NzMtMDAwMC03MDAwLTgwMDAtMDAwMDAwMDAwMDAw',
  'filename',
  'filename ====',
  ', ,',
  'a b c,filename AAAA4oCu',
  '',
];

/** What the routes of files read. */
export const FILE_INPUTS: Readonly<Record<string, RouteInput>> = {
  'OPTIONS /api/files': NOTHING,
  'POST /api/files': {
    body: null,
    headers: { 'tus-resumable': TUS, 'upload-length': NUMBERS, 'upload-metadata': METADATA },
  },
  'PATCH /api/files/:id': { body: 'bytes', headers: { 'tus-resumable': TUS, 'upload-offset': NUMBERS } },
  'DELETE /api/files/:id': asks(deletionQuery),
  'GET /api/files/:id/content': {
    body: null,
    headers: { range: ['bytes=0-1', 'bytes=-1', 'bytes=9-', 'x'] },
  },
  'PUT /api/files/:id/every-turn': takes(everyTurnSchema),
};
