import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import S3rver from 's3rver';

const BUCKET = 'parley';

/** An S3 server on a port of its own with an empty bucket, and the settings that name it. */
export async function startS3() {
  const directory = mkdtempSync(join(tmpdir(), 'parley-s3-'));
  const create = (port: number) =>
    new S3rver({
      port,
      address: '127.0.0.1',
      silent: true,
      directory,
      configureBuckets: [{ name: BUCKET, configs: [] }],
    });
  let server = create(0);
  const { port } = await server.run();
  const access = {
    endpoint: `http://127.0.0.1:${port}`,
    bucket: BUCKET,
    region: 'us-east-1',
    accessKey: 'S3RVER',
    secretKey: 'S3RVER',
  };
  return {
    access,
    settings: {
      FILES_S3_ENDPOINT: access.endpoint,
      FILES_S3_BUCKET: access.bucket,
      FILES_S3_ACCESS_KEY: access.accessKey,
      FILES_S3_SECRET_KEY: access.secretKey,
    },
    /** It is away, until `resume`. */
    pause: () => server.close(),
    async resume() {
      server = create(port);
      await server.run();
    },
    async close() {
      await server.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
