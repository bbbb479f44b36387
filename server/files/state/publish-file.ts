import { type Bus, userTopic } from '#server/platform/database/bus.ts';
import type { FileRow } from './file-store.ts';

/** Publishes to every open tab of the user that a file has changed. Other processes read it for themselves. */
export function publishFile(bus: Bus, file: FileRow): void {
  bus.publish(userTopic(file.userId), { type: 'file', id: file.id }, file);
}

/** Where it is published that a file waits to be read. */
export const WAITING_TOPIC = 'files waiting';
