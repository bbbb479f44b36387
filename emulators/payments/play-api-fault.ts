import type { ServerResponse } from 'node:http';
import type { ApiFault } from './faults.ts';

/** Plays a fault that looks the same at every provider; false: the provider has to answer in its own words. */
export function playApiFault(response: ServerResponse, fault: ApiFault): boolean {
  switch (fault.kind) {
    case 'hang':
      return true;
    case 'reset':
      response.destroy();
      return true;
    case 'no-json':
      response.writeHead(fault.status ?? 200, { 'content-type': 'text/html' }).end('<html>gateway</html>');
      return true;
    case 'endless':
      response.writeHead(200, { 'content-type': 'application/json' });
      pour(response);
      return true;
    default:
      return false;
  }
}

function pour(response: ServerResponse) {
  const chunk = Buffer.alloc(256 * 1024, ' ');
  const more = () => {
    while (!response.destroyed && response.write(chunk));
    if (!response.destroyed) response.once('drain', more);
  };
  response.on('error', () => {});
  more();
}
